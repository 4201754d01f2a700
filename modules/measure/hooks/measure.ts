import type { On } from 'claude-code'

// After each turn, keeps the context size that the client itself measured where Belay's hooks look for it.
export function register(on: On) {
  on('session.measure', async ($, e, next) => {
    try {
      const session = /([\w-]{1,64})\.jsonl$/.exec((await $.session.info()).transcriptPath ?? '')
      const data = (await $.env.get('XDG_DATA_HOME')) || `${await $.env.get('HOME')}/.local/share`
      if (session && e.context) await $.fs.write(`${data}/belay/measure/${session[1]}.json`, JSON.stringify(e.context))
    } catch {} // no figure then: the hooks read the transcript
    return next(e)
  })
}
