import type { Kysely } from 'kysely'
import type { SessionId } from '#contract/ids.ts'
import type { Clock } from '#contract/shared/clock.ts'
import { greatestOf } from '#contract/shared/extremes.ts'
import { maxRowsOfStatement } from '#contract/shared/storedBounds.ts'
import type { LapUpdates } from '../context.ts'
import { isDatabaseAway, isRefusedData } from '../db/errors.ts'
import type { Tables } from '../db/schema/tables.ts'
import type { Log } from '../log.ts'
import { asStored, type StoredFix } from '../telemetry/positions.ts'
import type { WrittenFixes } from '../telemetry/recorder.ts'
import { changeCircuit } from './changeCircuit.ts'
import type { ChangedResult } from './changedResult.ts'
import { runningSessions } from './computeLaps.ts'
import { Failures } from './failures.ts'
import { type LapListeners, publishLaps } from './publishLaps.ts'
import type { SessionTiming, TimedSession } from './sessionTiming.ts'
import { startTimings } from './startTimings.ts'
import { storeFailure } from './storedStop.ts'
import {
  type DueTiming,
  mustBeStored,
  newlyTimed,
  requireCount,
  storeUpToDate,
  type Timed,
} from './timed.ts'
import { timeReceived } from './timeReceived.ts'
import { timeNew } from './untimedPositions.ts'

/** The laps of a session are computed at most this often: they are known some seconds after the line anyway. */
const everyMs = 2000

/** Pause of a session for each position that was read, so that lap timing uses at most a fifth of the process. */
const restPerPositionMs = 0.4

/** Batch size of a session, in positions: about a second of work, which delays the laps of other sessions. */
const mostAtOnce = 10_000

/** Sessions that are timed together from the start or a backlog. Timed alone, each would wait for about ten statements. */
const mostBehindAtOnce = 50
/** After this time the rest of a round waits for the next one, so that continued sessions do not wait longer. */
const longestRoundMs = 5000

/** Sessions whose laps are stored by one statement: a message to the driver may have to wait for it. */
const mostStoredAtOnce = 100
/** Laps of these sessions together, unless one has more: all of them are read to be compared. */
const mostComparedLaps = maxRowsOfStatement

/** The state of a session without new positions is forgotten after this time. */
const forgetAfterMs = 10 * 60 * 1000

/**
 * Keeps the laps of sessions up to date with their positions. Everything follows from the database: each node computes
 * the sessions whose positions it stored, and a result is stored only if it lacks no position up to its newest one.
 *
 * A session with new positions is `#pending`. In a round (`#run`) it is
 * - due, unless it rests after much CPU time or waits after a failure: else it stays pending,
 * - continued from its last timing; behind, if it is timed from the start or has a backlog; or failed the last time,
 * - timed (`#timeTogether`): with the other continued ones, with up to 50 that are behind, or alone if it failed,
 * - stored, unless no lap changed. It is pending again if it is still behind, its timing failed, or its laps are outdated.
 */
export class LapKeeper implements LapUpdates {
  readonly #db: Kysely<Tables>
  readonly #listeners: LapListeners
  readonly #log: Log
  readonly #clock: Clock
  readonly #positionsAtOnce: number
  readonly #pending = new Set<SessionId>()
  readonly #timed = new Map<SessionId, Timed>()
  /** When sessions that used much CPU time may be timed again, by the monotonic clock. */
  readonly #restUntilMs = new Map<SessionId, number>()
  readonly #failures = new Failures()
  #cancelTimer: (() => void) | undefined
  #running: Promise<void> | undefined
  #isClosed = false

  constructor({
    db,
    live,
    log,
    clock,
    positionsAtOnce = mostAtOnce,
    onChanged = () => undefined,
    onEndedChanged = () => undefined,
    events,
  }: Pick<LapListeners, 'live'> &
    Partial<LapListeners> & {
      db: Kysely<Tables>
      log: Log
      clock: Clock
      positionsAtOnce?: number | undefined
    }) {
    this.#db = db
    this.#listeners = { live, onChanged, onEndedChanged, events }
    this.#log = log
    this.#clock = clock
    this.#positionsAtOnce = positionsAtOnce
  }

  update(sessionId: SessionId, oldestMs = 0) {
    const known = this.#timed.get(sessionId)
    known?.untimed.requireRead()
    if (known && oldestMs <= known.timing.afterMs) this.#timed.delete(sessionId)
    this.#pending.add(sessionId)
    this.#schedule()
  }

  /**
   * Schedules a session whose stored laps do not match its positions. A running computation continues: if it lacks
   * older positions, storing its laps reveals that.
   */
  timeMissing(sessionId: SessionId) {
    const known = this.#timed.get(sessionId)
    known?.untimed.requireRead()
    if (known) requireCount(known)
    this.#pending.add(sessionId)
    this.#schedule()
  }

  /** Schedules the sessions of received fixes. If some were skipped, the positions have to be read. */
  onStored({ fixes, skipped }: WrittenFixes) {
    for (const received of fixes) {
      const position = asStored(received)
      if (!position) continue
      if (skipped === 0) this.#onStored(position)
      else this.#onPerhapsStored(position)
    }
    this.#schedule()
  }

  #onPerhapsStored({ sessionId, atMs }: StoredFix) {
    // It was timed already: a session has at most one position of each time.
    if (this.#timed.get(sessionId)?.timing.isNewest(atMs)) return
    this.update(sessionId, atMs)
  }

  #onStored(position: StoredFix) {
    const { sessionId, atMs } = position
    const known = this.#timed.get(sessionId)
    if (!known) return this.update(sessionId, atMs)
    if (known.untimed.mayHaveBeenRead(position)) requireCount(known)
    else if (!known.untimed.keep(position, known.timing)) return this.update(sessionId, atMs)
    this.#pending.add(sessionId)
  }

  /** Resolves once no computation is running. */
  async idle() {
    await this.#running
  }

  /** Stops, once the running computation has ended. */
  async close() {
    this.#isClosed = true
    this.#cancelTimer?.()
    await this.idle()
  }

  #schedule() {
    if (this.#isClosed || this.#running) return
    this.#cancelTimer ??= this.#clock.after(everyMs, () => {
      this.#cancelTimer = undefined
      this.#running = this.#run().finally(() => {
        this.#running = undefined
        if (this.#pending.size > 0) this.#schedule()
      })
    })
  }

  async #run() {
    const now = this.#clock.monotonicMs()
    this.#forget(now)
    this.#failures.startRound()
    const due = [...this.#pending].filter(
      id => !this.#restUntilMs.has(id) && !this.#failures.isWaiting(id),
    )
    for (const id of due) this.#pending.delete(id)
    try {
      await this.#timeDue(due)
    } catch (error) {
      this.#retryLater(due, error)
    }
  }

  #retryLater(ids: readonly SessionId[], error: unknown) {
    this.#timeAgain(ids)
    // If the database is unreachable, no session is at fault: all are timed again once it responds.
    const delays = isDatabaseAway(error) ? [] : ids.map(id => this.#failures.add(id))
    const fields = {
      err: error,
      sessions: ids.length,
      retryInMs: everyMs * Math.max(1, greatestOf(delays)),
    }
    this.#log.warn(fields, 'failed to compute laps, will retry')
  }

  #timeAgain(ids: readonly SessionId[]) {
    for (const id of ids) {
      this.#pending.add(id)
      this.#timed.delete(id)
    }
  }

  #forget(now: number) {
    for (const [id, { usedAtMs }] of this.#timed)
      if (usedAtMs < now - forgetAfterMs) this.#timed.delete(id)
    for (const [id, untilMs] of this.#restUntilMs) if (untilMs <= now) this.#restUntilMs.delete(id)
  }

  /** Times the sessions of a round, the continued ones first: they do not wait for those that are behind or failed. */
  async #timeDue(due: readonly SessionId[]) {
    const now = this.#clock.monotonicMs()
    const { toRead, withNewLaps } = await timeReceived(this.#db, this.#timed, { due, now })
    const sessions = toRead.length === 0 ? [] : await runningSessions(this.#db, toRead)
    const found = new Set(sessions.map(({ id }) => id))
    for (const id of toRead) {
      // It was deleted, or its lap timing was turned off or has stopped.
      if (found.has(id)) continue
      this.#timed.delete(id)
      this.#failures.delete(id)
    }
    // If an update deleted a timing during the read, its session is pending again.
    const continued: TimedSession[] = withNewLaps.flatMap(each =>
      this.#timed.get(each.session.id) === each ? [each.session] : [],
    )
    const behind: TimedSession[] = []
    const failed: TimedSession[] = []
    for (const each of sessions) {
      if (this.#failures.has(each.id)) failed.push(each)
      else if (this.#canContinue(each) && !this.#timed.get(each.id)?.isBehind) continued.push(each)
      else behind.push(each)
    }
    await this.#timeOrRetry(continued)
    for (const group of [...groupsOf(behind, mostBehindAtOnce), ...groupsOf(failed, 1)]) {
      if (this.#clock.monotonicMs() - now < longestRoundMs) await this.#timeOrRetry(group)
      else for (const { id } of group) this.#pending.add(id)
    }
  }

  /** A failure does not delay other sessions: the next time, a failed session is timed alone and from the start. */
  async #timeOrRetry(sessions: readonly TimedSession[]) {
    try {
      await this.#timeTogether(sessions)
      for (const { id } of sessions) this.#failures.delete(id)
    } catch (error) {
      if (isDatabaseAway(error)) throw error
      const [first, ...others] = sessions
      // It failed alone, and will again.
      if (first && others.length === 0 && this.#failures.has(first.id) && isLasting(error))
        return this.#stop(first, error)
      this.#retryLater(
        sessions.map(({ id }) => id),
        error,
      )
    }
  }

  async #stop({ id, team_id: teamId }: TimedSession, error: unknown) {
    this.#timed.delete(id)
    this.#failures.delete(id)
    await storeFailure(this.#db, id)
    this.#log.error({ err: error, sessionId: id, teamId }, 'lap timing of a session stopped')
    this.#listeners.live.publish(`session:${id}`, { t: 'laps-changed', session: id })
  }

  #canContinue(session: TimedSession): boolean {
    return this.#timed.get(session.id)?.timing.fits(session) ?? false
  }

  /** Times sessions up to their newest position, a batch of each at most, and stores their changed laps. */
  async #timeTogether(sessions: readonly TimedSession[]) {
    if (sessions.length === 0) return
    const now = this.#clock.monotonicMs()
    const group: (DueTiming & { readBefore: number })[] = []
    const started = await startTimings(
      this.#db,
      sessions.filter(session => !this.#canContinue(session)),
    )
    for (const session of sessions) {
      const timing = started.get(session.id)
      if (timing) this.#timed.set(session.id, newlyTimed(session, timing, now))
      const timed = this.#timed.get(session.id)
      // An update deleted it during an await, and made it pending again.
      if (!timed) continue
      timed.usedAtMs = now
      group.push({ session, timed, readBefore: timed.timing.read })
    }
    await timeNew(
      this.#db,
      group.map(({ timed }) => timed),
      this.#positionsAtOnce,
    )
    const again: SessionId[] = []
    const due: DueTiming[] = []
    for (const { session, timed, readBefore } of group) {
      const { timing, isBehind } = timed
      const restMs = (timing.read - readBefore) * restPerPositionMs
      if (restMs > everyMs) this.#restUntilMs.set(session.id, now + restMs)
      if (session.status === 'Complete' && !isBehind) await timing.endSearch()
      if (await this.#changeCircuit(session, timing)) again.push(session.id)
      else if (isBehind) this.#pending.add(session.id)
      else if (mustBeStored(timed, session)) due.push({ timed, session })
    }
    for (const some of storedTogether(due)) await this.#store(some)
    // Times these sessions on their new circuit.
    if (again.length > 0) await this.#timeTogether(await runningSessions(this.#db, again))
  }

  /** Returns true if the laps of the session must be timed again. */
  async #changeCircuit(session: TimedSession, timing: SessionTiming): Promise<boolean> {
    const { live } = this.#listeners
    const moved = await changeCircuit({ db: this.#db, live }, session, timing)
    if (timing.found) this.#timed.delete(session.id)
    for (const id of moved) if (id !== session.id) this.update(id)
    return moved.length > 0
  }

  async #store(due: readonly DueTiming[]) {
    const sessions = new Map(due.map(({ session }) => [session.id, session]))
    const outdated = await storeUpToDate(
      this.#db,
      due.map(({ timed }) => timed),
      ({ timing }, result) => {
        const session = sessions.get(timing.sessionId)
        if (session) this.#onLapsStored(session, result)
      },
    )
    // After an inserted or deleted position a session is timed from the start.
    this.#timeAgain(outdated.map(({ timing }) => timing.sessionId))
  }

  #onLapsStored(session: TimedSession, result: ChangedResult) {
    // A finished or stopped drive cannot continue.
    if (session.status === 'Complete' || result.stopped) this.#timed.delete(session.id)
    if (result.timing.hasFailed)
      this.#log.error(
        { err: result.timing.error, sessionId: session.id, reason: result.stopped },
        'lap timing of a session stopped',
      )
    publishLaps(this.#listeners, session, result)
  }
}

/** True for an error that the same positions cause each time, unlike one of the network or the database. */
function isLasting(error: unknown): boolean {
  return error instanceof RangeError || error instanceof TypeError || isRefusedData(error)
}

/** Groups sessions whose laps are stored by one statement. */
function storedTogether(due: readonly DueTiming[]): DueTiming[][] {
  const groups: DueTiming[][] = []
  let laps = Number.POSITIVE_INFINITY
  for (const each of due) {
    const group = groups.at(-1)
    laps += each.timed.timing.laps.length
    if (group && group.length < mostStoredAtOnce && laps <= mostComparedLaps) group.push(each)
    else {
      groups.push([each])
      laps = each.timed.timing.laps.length
    }
  }
  return groups
}

function groupsOf<Each>(all: readonly Each[], size: number): Each[][] {
  const groups: Each[][] = []
  for (let done = 0; done < all.length; done += size) groups.push(all.slice(done, done + size))
  return groups
}
