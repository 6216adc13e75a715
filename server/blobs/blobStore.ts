import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { ReadableStream as WebStream } from 'node:stream/web'
import { type Adapter, FilesError } from 'files-sdk'
import { fs } from 'files-sdk/fs'
import { s3Fetch } from 'files-sdk/s3-fetch'
import type { Config } from '../config.ts'
import type { S3 } from '../s3Settings.ts'

/**
 * Stores bytes under keys. The server generates the keys from letters, digits, dashes and single slashes.
 */
export interface BlobStore {
  /** Stores all bytes or none (atomic). Throws StoreFailed. */
  put(key: string, bytes: Buffer): Promise<void>
  /** Returns null if the key does not exist. Throws StoreFailed. */
  read(key: string): Promise<{ sizeBytes: number; stream: Readable } | null>
  /** Removes a key. Idempotent. Throws StoreFailed. */
  remove(key: string): Promise<void>
}

/** The store failed a request: a full disk, a missing bucket, a timeout. */
export class StoreFailed extends Error {}

/** Timeout until an S3 store begins its response. */
const responseTimeoutMs = 20_000

/** Opens the S3 store if one is configured, otherwise the folder `files` beside the database. */
export function openBlobStore({ s3, dataDir }: Pick<Config, 's3' | 'dataDir'>): BlobStore {
  return s3 ? s3Store(s3) : folderStore(join(dataDir, 'files'))
}

/** A folder of this machine that only its owner may enter. Nodes of one cluster must share it. */
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

/** A bucket of any S3-compatible store. */
export function s3Store(s3: S3, timeoutMs = responseTimeoutMs): BlobStore {
  const adapter = s3Fetch({
    ...s3,
    // Every store supports the bucket in the path; in the host name it would need its own DNS record.
    forcePathStyle: true,
    // Empty, so that a session token from the environment is not sent with these keys.
    sessionToken: '',
    fetch: request => fetchWithTimeout(timeoutMs, request),
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
      // The same stream with the type that Node expects.
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
  if (!/^[\w-]+(\/[\w-]+)*$/.test(key)) throw new RangeError(`Invalid key: ${key}`)
  return key
}

function nullIfMissing(error: unknown): null {
  if (error instanceof FilesError && error.code === 'NotFound') return null
  return fail(error)
}

function fail(error: unknown): never {
  throw new StoreFailed('The file store failed.', { cause: error })
}

/**
 * The timeout covers only the start of the response: a slow reader of a large file is not the store's
 * fault.
 */
async function fetchWithTimeout(timeoutMs: number, request: Request): Promise<Response> {
  const abort = new AbortController()
  const timer = setTimeout(
    () => abort.abort(new Error(`No response within ${timeoutMs} ms`)),
    timeoutMs,
  )
  try {
    return await fetch(request, { signal: abort.signal })
  } finally {
    clearTimeout(timer)
  }
}
