"""The file system of a file: WAL mode needs memory that processes share, which network file systems do not give.

https://www.sqlite.org/wal.html: "WAL does not work over a network filesystem."
"""

from __future__ import annotations

import os

MOUNTS = "/proc/self/mounts"
NETWORK = frozenset(
    (
        "9p", "afs", "beegfs", "ceph", "cifs", "coda", "davfs", "glusterfs", "lustre", "ncpfs", "nfs", "nfs4", "prl_fs",
        "smb2", "smb3", "smbfs", "vboxsf", "virtiofs", "vmhgfs",
    )
)  # fmt: skip
"""File systems, as Linux names them, that other machines may write to at the same time."""
_USERLAND = "fuse."
"""sshfs, s3fs, rclone and the like; fuseblk, a local disk, is none of them."""


def is_network(path: str, mounts: str = MOUNTS) -> bool:
    """Whether a path is on a file system that several machines share (Linux; a UNC path of Windows)."""
    if os.name == "nt":
        return os.path.abspath(path).startswith("\\\\")
    kind = _find_type(os.path.realpath(path), mounts)
    return kind in NETWORK or kind.startswith(_USERLAND)


def _find_type(path: str, mounts: str) -> str:
    """Return the type of the mount that holds a path, "" where it is unknown; the last one mounted counts."""
    mount, type_name = "", ""
    for line in _read_mounts(mounts):
        fields = line.split(" ")
        if len(fields) < 3:
            continue
        point = fields[1].replace("\\040", " ").replace("\\011", "\t").replace("\\134", "\\").rstrip("/")
        if (path == point or path.startswith(point + "/")) and len(point) >= len(mount):
            mount, type_name = point, fields[2]
    return type_name


def _read_mounts(mounts: str) -> list[str]:
    try:
        with open(mounts, encoding="utf-8", errors="surrogateescape") as file:
            return file.read().splitlines()
    except OSError:
        return []


def is_read_only(path: str) -> bool:
    """Whether a database, or the folder in which SQLite would keep its log, cannot be written."""
    return not (os.access(path, os.W_OK) and os.access(os.path.dirname(os.path.abspath(path)), os.W_OK))
