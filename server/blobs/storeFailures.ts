import { Refusal } from '#contract/refusal.ts'
import type { Log } from '../log.ts'
import { StoreFailed } from './blobStore.ts'

/** Runs `act`, and refuses with `not-ready` if the store fails. */
export async function refuseIfStoreFails<T>(
  { log }: { log: Log },
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
