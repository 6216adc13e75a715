import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import path from 'node:path'

/**
 * One change of the disk; a journal lists them in order. Paths are relative to the recorded folder. `file` is the
 * number of a created file, which it keeps when it is renamed.
 */
export type DiskOperation =
  | { do: 'create'; path: string; file: number }
  | { do: 'makeFolder'; path: string }
  | { do: 'write'; file: number; at: number; bytes: Uint8Array }
  | { do: 'resize'; file: number; size: number }
  | { do: 'rename'; from: string; to: string }
  | { do: 'remove'; path: string }
  | { do: 'sync'; file: number }
  | { do: 'syncFolder'; path: string }
  /** Not a disk operation: the data counted here must survive from here on. */
  | { do: 'acknowledge'; what: string; count: number }

/**
 * Records all changes that this thread makes below a folder through `node:fs` from now on. Files are not actually
 * synced: crash images decide which changes survive.
 */
export function recordDisk(root: string): DiskOperation[] {
  const journal: DiskOperation[] = []
  const files = new Map<string, number>()
  const open = new Map<number, { path: string; file: number | undefined }>()
  let lastFile = 0
  const original = { ...fs }

  const inside = (name: fs.PathLike) => {
    const relative = path.relative(root, path.resolve(String(name)))
    return relative.startsWith('..') ? undefined : relative
  }
  const ensureFile = (name: string): number => {
    const known = files.get(name)
    if (known !== undefined) return known
    lastFile += 1
    files.set(name, lastFile)
    journal.push({ do: 'create', path: name, file: lastFile })
    return lastFile
  }
  const moveNames = (from: string, to: string | undefined) => {
    for (const [name, file] of files) {
      if (name !== from && !name.startsWith(`${from}${path.sep}`)) continue
      files.delete(name)
      if (to !== undefined) files.set(to + name.slice(from.length), file)
    }
  }

  fs.openSync = (name, flags, mode) => {
    const fd = original.openSync(name, flags, mode)
    const relative = inside(name)
    if (relative === undefined) return fd
    const isFolder = original.fstatSync(fd).isDirectory()
    const file = isFolder ? undefined : ensureFile(relative)
    open.set(fd, { path: relative, file })
    const truncates = typeof flags === 'number' && (flags & fs.constants.O_TRUNC) !== 0
    if (file !== undefined && truncates) journal.push({ do: 'resize', file, size: 0 })
    return fd
  }
  fs.closeSync = fd => {
    open.delete(fd)
    original.closeSync(fd)
  }
  fs.writeSync = ((fd: number, buffer: Uint8Array, offset: number, length: number, at: number) => {
    const written = original.writeSync(fd, buffer, offset, length, at)
    const file = open.get(fd)?.file
    if (file !== undefined) {
      const bytes = new Uint8Array(buffer.subarray(offset, offset + written))
      journal.push({ do: 'write', file, at, bytes })
    }
    return written
  }) as typeof fs.writeSync
  fs.writeFileSync = (name, data, options) => {
    original.writeFileSync(name, data, options)
    const relative = typeof name === 'number' ? undefined : inside(name as fs.PathLike)
    if (relative === undefined) return
    const file = ensureFile(relative)
    const bytes = new Uint8Array(Buffer.from(data as string))
    journal.push({ do: 'resize', file, size: 0 }, { do: 'write', file, at: 0, bytes })
  }
  fs.truncateSync = (name, size) => {
    original.truncateSync(name, size)
    const relative = inside(name as fs.PathLike)
    if (relative !== undefined)
      journal.push({ do: 'resize', file: ensureFile(relative), size: size ?? 0 })
  }
  fs.ftruncateSync = (fd, size) => {
    original.ftruncateSync(fd, size)
    const file = open.get(fd)?.file
    if (file !== undefined) journal.push({ do: 'resize', file, size: size ?? 0 })
  }
  fs.renameSync = (from, to) => {
    original.renameSync(from, to)
    const [old, now] = [inside(from), inside(to)]
    if (old === undefined || now === undefined) return
    moveNames(now, undefined)
    moveNames(old, now)
    journal.push({ do: 'rename', from: old, to: now })
  }
  const recordRemoval = (name: fs.PathLike) => {
    const relative = inside(name)
    if (relative === undefined) return
    moveNames(relative, undefined)
    journal.push({ do: 'remove', path: relative })
  }
  fs.unlinkSync = name => {
    original.unlinkSync(name)
    recordRemoval(name)
  }
  fs.rmdirSync = name => {
    original.rmdirSync(name)
    recordRemoval(name)
  }
  fs.rmSync = (name, options) => {
    const existed = original.existsSync(name)
    original.rmSync(name, options)
    if (existed) recordRemoval(name)
  }
  fs.mkdirSync = ((name: fs.PathLike, options: fs.MakeDirectoryOptions) => {
    const made = original.mkdirSync(name, options)
    const relative = inside(name)
    if (relative) journal.push({ do: 'makeFolder', path: relative })
    return made
  }) as typeof fs.mkdirSync
  fs.fsyncSync = fd => {
    const known = open.get(fd)
    if (known === undefined) return
    if (known.file === undefined) journal.push({ do: 'syncFolder', path: known.path })
    else journal.push({ do: 'sync', file: known.file })
  }
  // Updates named imports of node:fs.
  syncBuiltinESMExports()
  return journal
}
