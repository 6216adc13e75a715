import path from 'node:path'
import type { DiskOperation } from './journal.ts'

const pageBytes = 4096

/** Decides which unsynced changes reached the disk before the power cut. */
export interface Chance {
  /** Returns how many of `count` versions of a page, or sizes of a file, were written: 0 to count. */
  versions(count: number): number
  /** Returns whether one change of a folder was written. */
  happens(): boolean
}

/** A file or folder after the power cut. */
export type Found =
  | { kind: 'file'; bytes: Buffer }
  | { kind: 'folder'; entries: Map<string, Found> }

type Change = { at: number; bytes: Uint8Array } | { size: number }

interface File {
  kind: 'file'
  bytes: Buffer
  unsynced: Change[]
}

interface Folder {
  kind: 'folder'
  entries: Map<string, Entry>
  synced: Map<string, Entry>
  unsynced: Map<string, Entry | undefined>[]
}

type Entry = File | Folder

/**
 * A disk that keeps synced data, and a random part of unsynced pages of files and names in folders. It is stricter
 * than file systems: a synced file is lost if its folder was not synced.
 */
export class Disk {
  readonly #root: Folder = emptyFolder()
  readonly #files = new Map<number, File>()

  apply(operation: DiskOperation) {
    switch (operation.do) {
      case 'create': {
        const file: File = { kind: 'file', bytes: Buffer.alloc(0), unsynced: [] }
        this.#files.set(operation.file, file)
        return this.#change(operation.path, file)
      }
      case 'makeFolder':
        return this.#change(operation.path, emptyFolder())
      case 'remove':
        return this.#change(operation.path, undefined)
      case 'rename':
        return this.#rename(operation.from, operation.to)
      case 'write':
        this.#file(operation.file).unsynced.push({ at: operation.at, bytes: operation.bytes })
        return
      case 'resize':
        this.#file(operation.file).unsynced.push({ size: operation.size })
        return
      case 'sync': {
        const file = this.#file(operation.file)
        file.bytes = withAll(file)
        file.unsynced = []
        return
      }
      case 'syncFolder': {
        const folder = this.#folder(operation.path)
        folder.synced = new Map(folder.entries)
        folder.unsynced = []
        return
      }
      case 'acknowledge':
        return
    }
  }

  /** Returns the contents after a power cut at this moment. */
  afterPowerCut(chance: Chance): Found {
    return found(this.#root, chance)
  }

  #change(name: string, entry: Entry | undefined) {
    const folder = this.#folder(path.dirname(name))
    set(folder.entries, path.basename(name), entry)
    folder.unsynced.push(new Map([[path.basename(name), entry]]))
  }

  /** Renames atomically within one folder; PostgreSQL and Pitboard need no other renames. */
  #rename(from: string, to: string) {
    if (path.dirname(from) !== path.dirname(to))
      throw new Error(`${from} was renamed to another folder`)
    const folder = this.#folder(path.dirname(from))
    const entry = folder.entries.get(path.basename(from))
    if (!entry) throw new Error(`${from} does not exist`)
    const change = new Map([
      [path.basename(from), undefined],
      [path.basename(to), entry],
    ])
    for (const [name, now] of change) set(folder.entries, name, now)
    folder.unsynced.push(change)
  }

  #folder(name: string): Folder {
    let folder = this.#root
    for (const part of name.split(path.sep).filter(each => each !== '' && each !== '.')) {
      const next = folder.entries.get(part)
      if (next?.kind !== 'folder') throw new Error(`Folder ${name} does not exist`)
      folder = next
    }
    return folder
  }

  #file(number: number): File {
    const file = this.#files.get(number)
    if (!file) throw new Error(`File ${number} was never created`)
    return file
  }
}

function emptyFolder(): Folder {
  return { kind: 'folder', entries: new Map(), synced: new Map(), unsynced: [] }
}

function set(entries: Map<string, Entry>, name: string, entry: Entry | undefined) {
  if (entry) entries.set(name, entry)
  else entries.delete(name)
}

function found(entry: Entry, chance: Chance): Found {
  if (entry.kind === 'file') return { kind: 'file', bytes: contentOf(entry, chance) }
  const entries = new Map(entry.synced)
  for (const change of entry.unsynced)
    if (chance.happens()) for (const [name, now] of change) set(entries, name, now)
  return {
    kind: 'folder',
    entries: new Map([...entries].map(([name, each]) => [name, found(each, chance)])),
  }
}

/** Returns the content with all changes, written in place unless the file grows. */
function withAll({ bytes, unsynced }: File): Buffer {
  let content = bytes
  for (const change of unsynced) {
    const size = sizeAfter(content.length, change)
    if (size > content.length) content = Buffer.concat([content], size)
    if ('size' in change) content = content.subarray(0, size)
    else content.set(change.bytes, change.at)
  }
  return content
}

/** Returns the content with a random version of each page and of the size. Unwritten parts are zero. */
function contentOf({ bytes, unsynced }: File, chance: Chance): Buffer {
  if (unsynced.length === 0) return bytes
  const sizes = [bytes.length]
  for (const change of unsynced) sizes.push(sizeAfter(sizes.at(-1) ?? 0, change))
  const size = sizes[chance.versions(unsynced.length)] ?? 0
  const content = Buffer.alloc(Math.max(...sizes))
  bytes.copy(content)
  for (const pieces of pagesOf(unsynced).values())
    for (const { at, bytes: piece } of pieces.slice(0, chance.versions(pieces.length)))
      content.set(piece, at)
  return content.subarray(0, size)
}

function sizeAfter(size: number, change: Change): number {
  return 'size' in change ? change.size : Math.max(size, change.at + change.bytes.length)
}

/** Splits writes at page boundaries and groups them by page. A truncated part becomes zeros. */
function pagesOf(changes: Change[]): Map<number, { at: number; bytes: Uint8Array }[]> {
  const pages = new Map<number, { at: number; bytes: Uint8Array }[]>()
  const add = (at: number, bytes: Uint8Array) => {
    const page = Math.floor(at / pageBytes)
    const pieces = pages.get(page)
    if (pieces) pieces.push({ at, bytes })
    else pages.set(page, [{ at, bytes }])
  }
  for (const change of changes) {
    if ('size' in change) {
      for (const [page, pieces] of pages) {
        const start = Math.max(change.size, page * pageBytes)
        const end = (page + 1) * pageBytes
        if (start < end) pieces.push({ at: start, bytes: new Uint8Array(end - start) })
      }
      continue
    }
    for (let done = 0; done < change.bytes.length; ) {
      const at = change.at + done
      const length = Math.min(pageBytes - (at % pageBytes), change.bytes.length - done)
      add(at, change.bytes.subarray(done, done + length))
      done += length
    }
  }
  return pages
}
