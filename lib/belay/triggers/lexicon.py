"""Word lists that turn a prompt into its skeleton: what is said stays, what it is about goes."""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


TECH = _words("""
    sqlite sqlite3 postgres postgresql mysql mariadb mongo mongodb redis dynamodb supabase firebase kafka
    rabbitmq docker podman kubernetes k8s terraform ansible nix nixos flake flakes aws s3 ec2 lambda gcp
    azure vercel netlify cloudflare cloudfront heroku railway render react vue svelte angular nextjs next.js
    nuxt remix astro tailwind tailwindcss shadcn bootstrap express fastify flask django fastapi rails spring
    laravel node node.js nodejs deno bun npm pnpm yarn pip poetry uv conda cargo typescript javascript
    python rust go golang java kotlin swift dotnet csharp ruby php graphql grpc rest trpc websocket
    websockets sse webhook webhooks orm prisma drizzle sqlalchemy zod pydantic jest vitest pytest playwright
    cypress selenium langchain langgraph langsmith openai anthropic ollama openrouter litellm qdrant chroma
    pinecone pgvector elasticsearch nginx caddy traefik oauth oauth2 jwt saml auth0 clerk stripe tauri
    electron expo flutter wayland hyprland vite webpack esbuild turborepo nx monorepo tmux stow posthog
    plausible sentry grafana prometheus figma webflow wordpress html css json yaml toml csv markdown sql
    wasm ffi mcp
""")
TASKS = _words("""
    add fix create make write implement build run test update check look show find explain list delete
    remove rename move refactor change edit set setup install deploy commit push merge review analyze
    analyse debug investigate read open start restart stop continue proceed generate convert document
    improve clean validate verify confirm search explore describe summarize compare extract integrate
    configure enable disable display render print log handle support include replace revert undo rebase pull
    fetch download upload import export connect load save send give tell help try work begin finish complete
    plan design draft research put get go do see resolve address optimize simplify split hook wire scan
    rerun retry modify adjust copy paste apply bump
""")
CUES = _words("""
    i we you it they he she this that these those there here who what which why how when where whose a an
    the my our your its their me us them one ones some any all both each every no none neither either is are
    was were be been being am do does did done have has had can could will would should shall may might must
    need needs needed want wants wanted like prefer rather love hate think guess believe feel mean meant
    said asked told know wonder wondering suppose supposed suggest decide decided choose pick agree agreed
    sure yes no yeah yep yup nope nah okay right wrong correct incorrect good great fine nice best better
    bad perfect cool thanks thank please sorry not never always only just also still already again yet
    anymore longer instead actually really basically maybe perhaps probably definitely exactly simply first
    second third last next then now later before after until since while once when if unless because so but
    and or for from to in on at by with without into of about as than like same different other another more
    less most least much many few enough too very let's don't doesn't didn't isn't aren't wasn't weren't
    can't won't shouldn't wouldn't couldn't haven't hasn't i'm i've i'd i'll we're we've we'd we'll you're
    you've you'll it's that's there's what's never-mind use using used keep leave skip drop ignore forget
    stick stay switch back option approach way idea solution plan version issue problem error bug rule
    default future remember sense up out off over down under same make sure ensure call called named focus
    priority important block blocking wait hold stop
""")


def skeleton(words: list[str]) -> list[str]:
    """Reduce tokens to a skeleton: cue words stay, task verbs become `V`, technologies `T`, the rest `w`."""
    found: list[str] = []
    for word in words:
        if word in CUES or word[0] in "<.,:;!?…":
            kind = word
        elif word in TASKS:
            kind = "V"
        elif word in TECH:
            kind = "T"
        else:
            kind = "w"
        if kind != "w" or not found or found[-1] != "w":
            found.append(kind)
    return found
