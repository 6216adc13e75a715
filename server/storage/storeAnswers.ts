import { Refusal } from '#contract/refusal.ts'
import { StoreFailed } from './blobStore.ts'
import type { FileParts } from './files.ts'

/** Refuses with `not-ready` while the store does not do what it is asked. */
export async function whenStoreAnswers<T>(
  { log }: Pick<FileParts, 'log'>,
  act: () => Promise<T>,
): Promise<T> {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof StoreFailed)) throw error
    log.error({ err: error }, 'file store failed')
    throw new Refusal('not-ready', { detail: 'files-unreachable' })
  }
}
