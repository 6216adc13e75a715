import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { ReadableStream as WebStream } from 'node:stream/web'
import { type Adapter, FilesError } from 'files-sdk'
import { fs } from 'files-sdk/fs'
import { s3Fetch } from 'files-sdk/s3-fetch'
import type { Config } from '../config.ts'
import type { S3 } from './s3Settings.ts'

/** Where bytes lie under a key. Keys are made by the server, of letters, digits, dashes and single slashes. */
export interface BlobStore {
  /** Either all of it is there afterwards, or nothing. Throws StoreFailed. */
  put(key: string, bytes: Buffer): Promise<void>
  /** Null if there is no such key. Throws StoreFailed. */
  read(key: string): Promise<{ sizeBytes: number; stream: Readable } | null>
  /** A key that is not there is fine. Throws StoreFailed. */
  remove(key: string): Promise<void>
}

/** The store did not do what it was asked: a full disk, a bucket that is gone, no answer. */
export class StoreFailed extends Error {}

/** How long an S3 store may take to begin its answer. */
const answerWithinMs = 20_000

/** The S3 store if one is set, otherwise the folder `files` beside the database. */
export function openBlobStore({ s3, dataDir }: Pick<Config, 's3' | 'dataDir'>): BlobStore {
  return s3 ? s3Store(s3) : folderStore(join(dataDir, 'files'))
}

/** A folder of this machine, which only its owner may enter. Nodes that serve together must share it. */
export function folderStore(folder: string): BlobStore {
  const store = storeOn(fs({ root: folder }))
  return {
    ...store,
    async put(key, bytes) {
      await mkdir(folder, { recursive: true, mode: 0o700 }).catch(fail)
      await store.put(key, bytes)
    },
  }
}

/** A bucket of any store that speaks S3. */
export function s3Store(s3: S3, withinMs = answerWithinMs): BlobStore {
  const adapter = s3Fetch({
    ...s3,
    // The bucket in the path is what every store understands; in the host's name it needs DNS of its own.
    forcePathStyle: true,
    // Empty, so that a token that happens to be in the environment is not sent along with these keys.
    sessionToken: '',
    fetch: request => fetchWithin(withinMs, request),
  })
  return storeOn(adapter)
}

function storeOn(adapter: Adapter): BlobStore {
  return {
    async put(key, bytes) {
      await adapter.upload(checked(key), bytes).catch(fail)
    },
    async read(key) {
      const found = await adapter.download(checked(key), { as: 'stream' }).catch(nullIfMissing)
      // The same stream under the name that the browser's types give it.
      return (
        found && {
          sizeBytes: found.size,
          stream: Readable.fromWeb(found.stream() as WebStream<Uint8Array>),
        }
      )
    },
    async remove(key) {
      await adapter.delete(checked(key)).catch(nullIfMissing)
    },
  }
}

function checked(key: string): string {
  if (!/^[\w-]+(\/[\w-]+)*$/.test(key)) throw new RangeError(`Not a key of ours: ${key}`)
  return key
}

function nullIfMissing(error: unknown): null {
  if (error instanceof FilesError && error.code === 'NotFound') return null
  return fail(error)
}

function fail(error: unknown): never {
  throw new StoreFailed('The file store failed.', { cause: error })
}

/** The time counts until the answer begins: a slow reader of a large file is no fault of the store. */
async function fetchWithin(withinMs: number, request: Request): Promise<Response> {
  const abort = new AbortController()
  const timer = setTimeout(() => abort.abort(new Error(`No answer in ${withinMs} ms`)), withinMs)
  try {
    return await fetch(request, { signal: abort.signal })
  } finally {
    clearTimeout(timer)
  }
}
