"""The five functions of the console's ingest, as tasks of Celery: they read and write the files that those of `../console-ingest` do in
TypeScript, but tell a media type by the name of the file alone.

celery -A console worker
"""

from __future__ import annotations

import hashlib
import json
import mimetypes
import os
import shutil
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from celery import Celery

app = Celery("console", broker=os.environ["CELERY_BROKER"], backend=os.environ["CELERY_RESULTS"])

#: Folders that do not belong to the archive.
SKIPPED = {".git", ".waybill"}


@app.task(name="assets:make")
def make_asset_tree(folder: str, work: str) -> dict[str, int]:
    """Lists the files of the folder with their sizes and checksums."""
    assets: list[dict[str, Any]] = [
        {"path": str(path.relative_to(folder)), "bytes": path.stat().st_size, "sha256": checksum(path)}
        for path in sorted(files_below(Path(folder), Path(work)), key=str)
    ]
    write_whole(Path(work, "assets.json"), json.dumps(assets, indent=1, ensure_ascii=False))
    return {"files": len(assets), "bytes": sum(asset["bytes"] for asset in assets)}


@app.task(name="links:make")
def make_link_tree(folder: str, work: str, tree: str) -> dict[str, int]:
    """Links every asset into the tree. Keeps the links that an interrupted run left."""
    assets = read_assets(work)
    kept = sum(not link(Path(folder, asset["path"]), tree_in(work, tree) / asset["path"]) for asset in assets)
    return {"links": len(assets), "kept": kept}


@app.task(name="links:remove")
def remove_link_tree(work: str, tree: str) -> None:
    """Removes the tree. The files that it links to stay."""
    with suppress(FileNotFoundError):
        shutil.rmtree(tree_in(work, tree))


@app.task(name="tape:ingest")
def ingest_tape(work: str) -> dict[str, int]:
    """Copies what the tree links to into the archive, and reads every copy back. Keeps copies that are complete."""
    assets = read_assets(work)
    kept = sum(not archive(work, asset) for asset in assets)
    return {"verified": len(assets), "kept": kept}


@app.task(name="metadata:scan")
def scan_metadata(work: str) -> dict[str, Any]:
    """Writes the media type and the checksum of what the tree links to into `metadata.json`."""
    found = [
        {"path": asset["path"], **facts_of(tree_in(work, "metadata") / asset["path"])} for asset in read_assets(work)
    ]
    write_whole(Path(work, "metadata.json"), json.dumps(found, indent=1, ensure_ascii=False))
    types = Counter(facts["mediaType"] for facts in found)
    # It looks into no file, so that it finds none malformed.
    return {"scanned": len(found), "malformed": 0, "types": dict(types.most_common(5))}


def files_below(root: Path, work: Path) -> Iterator[Path]:
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if name not in SKIPPED and Path(folder, name) != work]
        for name in names:
            path = Path(folder, name)
            if path.is_file() and not path.is_symlink():
                yield path


def checksum(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise OSError(f"Expected '{path.name}' to be readable, but: {error.strerror}") from error


def write_whole(path: Path, text: str) -> None:
    """A reader finds all of the file or nothing, whenever this process is killed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{path.name}.part")
    part.write_text(text)
    part.rename(path)


def read_assets(work: str) -> list[dict[str, Any]]:
    assets: list[dict[str, Any]] = json.loads(Path(work, "assets.json").read_text())
    return assets


def tree_in(work: str, tree: str) -> Path:
    return Path(work, "links", tree)


def link(target: Path, path: Path) -> bool:
    """Whether the link is new."""
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        path.symlink_to(target)
        return True
    except FileExistsError:
        if path.readlink() == target:
            return False
        raise ValueError(f"Expected '{path}' to link to '{target}', but it links to '{path.readlink()}'") from None


def archive(work: str, asset: dict[str, Any]) -> bool:
    """Whether the copy is new."""
    copy = Path(work, "archive", asset["path"])
    if copy.exists() and checksum(copy) == asset["sha256"]:
        return False
    copy.parent.mkdir(parents=True, exist_ok=True)
    part = copy.with_name(f"{copy.name}.part")
    shutil.copyfile(tree_in(work, "tape") / asset["path"], part)
    if checksum(part) != asset["sha256"]:
        part.unlink()
        raise ValueError(
            f"Expected '{asset['path']}' to have the checksum {asset['sha256'][:12]}… of the asset tree, but it has changed since"
        )
    part.rename(copy)
    return True


def facts_of(path: Path) -> dict[str, Any]:
    return {"sha256": checksum(path), "mediaType": mimetypes.guess_type(path.name)[0] or "application/octet-stream"}
