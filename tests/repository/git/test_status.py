"""Several blobs in one question."""

from repos import git

from belay.repository.git import status


def test_sizes_and_contents_of_several_blobs(repo):
    (repo / "empty").write_bytes(b"")
    (repo / "bytes").write_bytes(b"\xff\n\nno end")
    git(repo, "add", ".")
    git(repo, "commit", "-qm", "more")
    names = ["HEAD:bytes", "HEAD:none", "HEAD:empty", "HEAD:file.txt", "HEAD:", "HEAD:a\nb"]

    found = status.find_sized_blobs(str(repo), names)

    assert [size for _, size in found] == [9, 0, 0, 4, 0, 0]
    assert [sha for sha, _ in found] == status.find_blobs(str(repo), names)
    assert [bool(sha) for sha, _ in found] == [True, False, True, True, False, False]
    blobs = [found[0][0], found[2][0], "0" * 40, found[3][0]]
    assert status.read_blobs(str(repo), blobs) == [b"\xff\n\nno end", b"", b"", b"one\n"]
    assert status.read_blobs(str(repo), []) == []
