import type { StoredFile } from '#contract/files.ts'
import { type CallOptions, post } from './call.ts'

/** Upload timeout, in milliseconds: at the minimum rate that the server accepts, 5 MiB take 82 s. */
const uploadTimeoutMs = 120_000

interface Upload {
  teamId: string
  name: string
  content: Blob
}

/**
 * Stores a file of a team and replaces one of the same name.
 * @throws {CallRefused} with the server's code, or 'unreachable'.
 */
export function upload(
  { teamId, name, content }: Upload,
  { signal }: CallOptions = {},
): Promise<StoredFile> {
  const form = new FormData()
  form.set('teamId', teamId)
  form.set('name', name)
  form.set('file', content, name)
  return post('/api/files.upload', { body: form }, { timeoutMs: uploadTimeoutMs, signal })
}
