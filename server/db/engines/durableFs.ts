import fs from 'node:fs'
import path from 'node:path'
import type { PGlite } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'

type Init = ReturnType<NodeFS['init']>
type EmscriptenOptions = Awaited<Init>['emscriptenOpts']

interface Stream {
  node: object
  nfd: number
}

/** The parts of Emscripten's file system for Node that are patched here. */
interface NodeMount {
  FS: { ErrnoError: new (errno: number) => Error }
  NODEFS: {
    realPath(node: object): string
    convertNodeCode(error: NodeJS.ErrnoException): number
    node_ops: { mknod(parent: object, name: string, mode: number, dev: number): object }
    stream_ops: {
      write(stream: Stream, ...rest: number[]): number
      fsync?(stream: Stream): number
    }
  }
}

/**
 * A file system for PGlite in which fsync reaches the disk. Emscripten's own ignores fsync, so that a power
 * cut would leave a database that cannot be opened. The hook is set before PostgreSQL runs, because startup
 * and recovery write too.
 */
export class DurableFs extends NodeFS {
  readonly #onDamage: () => void

  /** `onDamage` is called if writing to the write-ahead log or any sync fails. */
  constructor(directory: string, onDamage: () => void) {
    super(directory)
    this.#onDamage = onDamage
  }

  override async init(pglite: PGlite, options: EmscriptenOptions): Init {
    const { emscriptenOpts } = await super.init(pglite, options)
    const preRun = [emscriptenOpts.preRun ?? []].flat()
    return {
      emscriptenOpts: {
        ...emscriptenOpts,
        preRun: [...preRun, module => syncToDisk(module as unknown as NodeMount, this.#onDamage)],
      },
    }
  }
}

function syncToDisk({ FS, NODEFS }: NodeMount, onDamage: () => void) {
  /** Files whose directory entry may not be on the disk yet. */
  const created = new WeakSet<object>()
  const { mknod } = NODEFS.node_ops
  const { write } = NODEFS.stream_ops
  NODEFS.stream_ops.write = (stream, ...rest) => {
    try {
      return write(stream, ...rest)
    } catch (error) {
      if (NODEFS.realPath(stream.node).includes('pg_wal')) onDamage()
      throw error
    }
  }
  NODEFS.node_ops.mknod = (parent, name, mode, dev) => {
    const node = mknod(parent, name, mode, dev)
    created.add(node)
    return node
  }
  NODEFS.stream_ops.fsync = ({ node, nfd }) => {
    try {
      fs.fsyncSync(nfd)
      // PostgreSQL expects that syncing a new file also persists its name. POSIX does not guarantee that.
      if (created.delete(node)) syncFolder(path.dirname(NODEFS.realPath(node)))
      return 0
    } catch (error) {
      onDamage()
      if (!isSystemError(error)) throw error
      throw new FS.ErrnoError(NODEFS.convertNodeCode(error))
    }
  }
}

/** Makes the entries of a folder survive a power cut. */
export function syncFolder(folder: string) {
  // Windows cannot open a folder as a file, and journals names itself.
  if (process.platform === 'win32') return
  const fd = fs.openSync(folder, 'r')
  try {
    fs.fsyncSync(fd)
  } finally {
    fs.closeSync(fd)
  }
}

/** Makes a folder and all its content survive a power cut. */
export function syncTree(folder: string) {
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const name = path.join(folder, entry.name)
    if (entry.isDirectory()) syncTree(name)
    else if (entry.isFile()) syncFile(name)
  }
  syncFolder(folder)
}

function syncFile(file: string) {
  const fd = fs.openSync(file, 'r+')
  try {
    fs.fsyncSync(fd)
  } finally {
    fs.closeSync(fd)
  }
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error && 'syscall' in error
}
