import type { EpochMs } from '#contract/ids.ts'
import type { Fix } from '#contract/positions.ts'
import type { RefusalCode } from '#contract/refusal.ts'
import type { FixRefusal } from '#contract/sessions.ts'
import { maxFixesPerCall } from '#contract/shared/bounds.ts'
import type { Clock } from '#contract/shared/clock.ts'
import { isFinal } from '#contract/shared/refusals.ts'
import { type OpenChannel, runWhileOpen } from '../channel/whileOpen.ts'
import type { ServerClock } from '../serverClock.ts'
import type { FixOwner, FixStore, UnsentFix } from './unsentFixes.ts'

/** Retry interval while there is a connection. */
const retryIntervalMs = 30_000

/** Positions that the driver or the team did not want to be stored. */
const notLost: readonly FixRefusal[] = ['deleted', 'data-link-off']

/** The stored queue of unsent fixes, as used by the uploader. Rejects if the device cannot store. */
export interface FixQueue extends Pick<FixStore, 'requeueInFlight'> {
  /**
   * The oldest fixes of this user's first session, at most `limit`; null if there are none. Sessions are in the order
   * of their ids; with `after` only those after that one count.
   */
  nextQueued(userId: string, limit: number, after: string | null): Promise<SessionFixes | null>
  /** All queued fixes of a session whose times still have to be corrected, in order of time. */
  undatedOf(driven: FixOwner): Promise<UnsentFix[]>
  /** Stores corrected times. Fixes that then have the same time are merged. */
  correctTimes(driven: FixOwner, corrected: readonly CorrectedFix[]): Promise<void>
  deleteQueued(driven: FixOwner, fixes: readonly Pick<Fix, 'at'>[]): Promise<void>
}

interface SessionFixes {
  readonly driven: FixOwner
  readonly fixes: UnsentFix[]
}

export interface CorrectedFix {
  /** The uncorrected time, which is its key in the storage. */
  readonly storedAt: EpochMs
  readonly fix: Fix
}

/** The answer to one call: which fixes will never be stored, or why the call failed. */
export type UploadAnswer =
  | { readonly refused: readonly { readonly at: EpochMs; readonly reason: FixRefusal }[] }
  /** `code` is null if there was no response. */
  | { readonly failed: RefusalCode | null }

/** The result of a batch. The uploader continues with the next batch, with the next session, or in a later run. */
type Outcome = 'done' | 'data-link-off' | 'retry-later'

interface Options {
  readonly userId: string
  readonly queue: FixQueue
  readonly serverClock: ServerClock
  /** The ids (`ServerClock.pageId`) of the pages that are open on this device. */
  readonly openPages: () => Promise<ReadonlySet<string>>
  readonly upload: (sessionId: string, fixes: readonly Fix[]) => Promise<UploadAnswer>
  /** The id of the signed-in user; null if unknown. */
  readonly signedIn: () => Promise<string | null>
  readonly report: (problem: string) => void
  /** Called with the number of fixes that will never be stored, except for the reasons in `notLost`. */
  readonly onLost: (count: number) => void
}

/**
 * Uploads a user's unsent fixes, oldest first. Fixes that the server will never store are counted and logged.
 */
export class FixUploader {
  readonly #options: Options
  #running: Promise<void> | null = null
  #requeued = false

  constructor(options: Options) {
    this.#options = options
  }

  /** Uploads whenever the connection opens, and retries while it is open. Call the result to stop. */
  start(channel: OpenChannel, clock: Clock): () => void {
    const run = () => this.run()
    const { wake, stop } = runWhileOpen(channel, { clock, everyMs: retryIntervalMs, run })
    // Only the page that took a fix corrects its time exactly, and it may be closed before the next retry.
    const unlisten = this.#options.serverClock.onSynchronized(wake)
    return () => {
      unlisten()
      stop()
    }
  }

  /** Uploads until the queue is empty or the server does not respond. Concurrent calls share one run. */
  run(): Promise<void> {
    this.#running ??= this.#uploadAll()
      .catch((error: unknown) =>
        this.#options.report(`Unsent positions were not uploaded: ${String(error)}`),
      )
      .finally(() => {
        this.#running = null
      })
    return this.#running
  }

  async #uploadAll() {
    const { queue, userId } = this.#options
    // Fixes that an earlier page had in flight when it was closed or crashed.
    if (!this.#requeued)
      this.#requeued = await queue.requeueInFlight().then(
        () => true,
        () => false,
      )
    let after: string | null = null
    for (;;) {
      // Without storage there is nothing to upload: the reporter logs it.
      const next: SessionFixes | null = await queue
        .nextQueued(userId, maxFixesPerCall, after)
        .catch(() => null)
      if (!next) return
      const dated = next.fixes.filter(({ unsynced }) => !unsynced)
      if (dated.length < next.fixes.length && (await this.#correct(next.driven))) continue
      const outcome = dated.length > 0 ? await this.#upload(next.driven, dated) : 'undated'
      if (outcome === 'retry-later') return
      if (outcome !== 'done') after = next.driven.sessionId
    }
  }

  /**
   * Stores the corrected times of a session before its upload, so that a repeated upload has the same ones. If the wall
   * clock was set back, all are moved by the same amount, which keeps the order and the times between them. Returns false
   * if no time can be corrected now. Leaves the fixes of another open page to that page: it may send its newest one at the
   * same moment, with a time of its own, and the fix would be stored twice.
   */
  async #correct(driven: FixOwner): Promise<boolean> {
    const { queue, serverClock, openPages } = this.#options
    if (!serverClock.isSynchronized) return false
    const open = await openPages()
    const undated = (await queue.undatedOf(driven)).filter(
      ({ unsynced }) =>
        !unsynced || unsynced.page === serverClock.pageId || !open.has(unsynced.page),
    )
    const setBackMs = serverClock.setBackMs(undated)
    for (let first = 0; first < undated.length; first += maxFixesPerCall) {
      const corrected = undated.slice(first, first + maxFixesPerCall).flatMap(fix => {
        const at = serverClock.dated(fix, setBackMs)
        const { unsynced: _corrected, ...rest } = fix
        return at === null ? [] : [{ storedAt: fix.at, fix: { ...rest, at } }]
      })
      // The phone has slept in the meantime.
      if (corrected.length === 0) return false
      await queue.correctTimes(driven, corrected)
    }
    return undated.length > 0
  }

  /** Uploads one batch and removes it from the queue, unless it has to be retried. */
  async #upload(driven: FixOwner, fixes: readonly Fix[]): Promise<Outcome> {
    const { userId, upload, signedIn } = this.#options
    const answer = await upload(driven.sessionId, fixes)
    if ('refused' in answer) {
      const reasons = answer.refused.map(({ reason }) => reason)
      const lost = reasons.filter(reason => !notLost.includes(reason))
      return this.#remove(driven, fixes, lost)
    }
    const { failed } = answer
    if (failed === 'data-link-off') return 'data-link-off'
    if (failed === null || !(failed === 'invalid-input' || isFinal(failed))) return 'retry-later'
    // Another user may have signed in: then the refusal is theirs.
    if ((await signedIn()) !== userId) return 'retry-later'
    if (failed === 'invalid-input' && fixes.length > 1) return this.#uploadHalves(driven, fixes)
    return this.#remove(
      driven,
      fixes,
      fixes.map(() => failed),
    )
  }

  /** Uploads a refused batch in two parts: one invalid fix must not block the others. */
  async #uploadHalves(driven: FixOwner, fixes: readonly Fix[]): Promise<Outcome> {
    const half = Math.ceil(fixes.length / 2)
    const outcome = await this.#upload(driven, fixes.slice(0, half))
    return outcome === 'done' ? this.#upload(driven, fixes.slice(half)) : outcome
  }

  /** Removes a batch from the queue, and reports those of its fixes that are lost, with the reasons. */
  async #remove(
    driven: FixOwner,
    fixes: readonly Fix[],
    lost: readonly (FixRefusal | RefusalCode)[],
  ): Promise<'done'> {
    const { queue, report, onLost } = this.#options
    await queue.deleteQueued(driven, fixes)
    if (lost.length > 0) {
      const reasons = [...new Set(lost)].join(', ')
      report(`${lost.length} of ${fixes.length} stored positions were refused: ${reasons}`)
      onLost(lost.length)
    }
    return 'done'
  }
}
