import type { Kysely } from 'kysely'
import type { EpochMs, SessionId } from '#contract/ids.ts'
import type { Clock } from '#contract/shared/clock.ts'
import type { LapUpdates } from '../context.ts'
import { isDatabaseAway, isRefusedData } from '../db/errors.ts'
import type { Tables } from '../db/schema/tables.ts'
import type { Log } from '../log.ts'
import type { ReceivedFix } from '../telemetry/storeFixes.ts'
import { assignCircuit } from './assignCircuit.ts'
import type { ChangedResult } from './changedResult.ts'
import { type RunningSession, runningSessions, timeNewPositions } from './computeLaps.ts'
import { type LapListeners, publishLaps } from './publishLaps.ts'
import type { SessionTiming, TimedSession } from './sessionTiming.ts'
import { startTimings } from './startTimings.ts'
import { storeFailure } from './storedStop.ts'
import { storeUpToDate } from './storeUpToDate.ts'
import { type DueResult, groupsOf, storedTogether } from './timingGroups.ts'

/** Pause before a round: positions are stored once a second. */
const shortestPauseMs = 1000

/** The pause is this multiple of the last round's duration if that is longer, up to `everyMs`. */
const pauseShare = 4

/** The laps of a session are computed at least this often. */
const everyMs = 2000

/** Pause of a session for each position that was read, so that lap timing uses at most a fifth of the process. */
const restPerPositionMs = 0.4

/** Batch size of a session, in positions: about a second of work, which delays the laps of other sessions. */
const mostAtOnce = 10_000

/** Sessions that are timed together from their last position on: the new positions of most rounds are one page. */
const mostContinuedAtOnce = 250
/** Sessions that are timed together from the start or a backlog. Timed alone, each would wait for about ten statements. */
const mostBehindAtOnce = 50
/** After this time the rest of a round waits for the next one, so that continued sessions do not wait longer. */
const longestRoundMs = 5000

/** The state of a session without new positions is forgotten after this time. */
const forgetAfterMs = 10 * 60 * 1000

/** The runs of a car with several phones are computed again after this driven time of each: see `onMoved`. */
const movedEveryMs = 10_000

/** Longest delay of a retry: a session that keeps failing is timed about once a minute. */
const longestRetryMs = 32 * everyMs

/** A session whose laps are kept up to date. */
interface Timing {
  state: TimingState
  /** It is not timed before this time of the monotonic clock, because it failed or used much CPU time. */
  dueMs: number
  /** How often it failed since it last succeeded. */
  failures: number
  /** Driven time at which `onMoved` was called last without changed moves. */
  movedMs?: EpochMs
}

type TimingState =
  /** It has to be timed from the start. */
  | { is: 'starting' }
  /** More positions are stored than were timed at once. */
  | { is: 'behind'; timing: SessionTiming }
  /** Positions were stored since it was timed. */
  | { is: 'pending'; timing: SessionTiming }
  /** All positions were timed, at this time of the monotonic clock. */
  | { is: 'current'; timing: SessionTiming; atMs: number }
  /** Its last laps were stored. It is kept only for `dueMs`. */
  | { is: 'ended' }

/**
 * Keeps the laps of sessions up to date with their positions. Everything follows from the database: each node computes
 * the sessions whose positions it stored, and a result is stored only if it lacks no position up to its newest one.
 *
 * Each round times the sessions that are not current: from the last timed position on, or from the start. Those that
 * are behind or failed do not delay the others. Changed laps are stored. After a failure, or if positions up to the last
 * timed one were added or deleted, a session starts again.
 */
export class LapKeeper implements LapUpdates {
  readonly #db: Kysely<Tables>
  readonly #listeners: LapListeners
  readonly #log: Log
  readonly #clock: Clock
  readonly #positionsAtOnce: number
  readonly #timings = new Map<SessionId, Timing>()
  #cancelTimer: (() => void) | undefined
  #running: Promise<void> | undefined
  /** Duration of the last round. */
  #roundMs = 0
  #isClosed = false

  constructor({
    db,
    live,
    log,
    clock,
    positionsAtOnce = mostAtOnce,
    onChanged = () => undefined,
    onPitExit = () => undefined,
    onMoved = () => undefined,
    onCarChanged = () => undefined,
    events,
  }: Pick<LapListeners, 'live'> &
    Partial<LapListeners> & {
      db: Kysely<Tables>
      log: Log
      clock: Clock
      positionsAtOnce?: number | undefined
    }) {
    this.#db = db
    this.#listeners = { live, onChanged, onPitExit, onMoved, onCarChanged, events }
    this.#log = log
    this.#clock = clock
    this.#positionsAtOnce = positionsAtOnce
  }

  update(sessionId: SessionId, oldestMs: EpochMs = 0) {
    const timing = this.#timingOf(sessionId)
    if (timing && oldestMs > timing.afterMs) this.#setPending(sessionId)
    else this.#setState(sessionId, { is: 'starting' })
    this.#schedule()
  }

  /**
   * Schedules a session in which positions since this time, or of any time, may not have been timed. If storing its laps
   * reveals that, it is timed from the start.
   */
  timeMissing(sessionId: SessionId, sinceMs: EpochMs = 0) {
    const timing = this.#timingOf(sessionId)
    timing?.requireCount(sinceMs)
    if (timing) this.#setPending(sessionId)
    else this.#setState(sessionId, { is: 'starting' })
    this.#schedule()
  }

  /** Schedules the sessions of fixes that were stored, or perhaps refused. */
  onStored(fixes: readonly ReceivedFix[]) {
    for (const { session, fix } of fixes) {
      const timedUpToMs = this.#timingOf(session)?.afterMs ?? 0
      if (fix.at > timedUpToMs) this.update(session, fix.at)
      // It was read while it was being stored, or is late. An equal one was read: a standing phone repeats it.
      else if (fix.at < timedUpToMs) this.timeMissing(session, fix.at)
    }
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

  #timingOf(sessionId: SessionId): SessionTiming | undefined {
    const state = this.#timings.get(sessionId)?.state
    return state && 'timing' in state ? state.timing : undefined
  }

  #setState(sessionId: SessionId, state: TimingState) {
    const known = this.#timings.get(sessionId)
    if (known) known.state = state
    else this.#timings.set(sessionId, { state, dueMs: 0, failures: 0 })
  }

  #setPending(sessionId: SessionId) {
    const known = this.#timings.get(sessionId)
    if (known?.state.is === 'current') known.state = { is: 'pending', timing: known.state.timing }
  }

  #schedule() {
    if (this.#isClosed || this.#running) return
    const pauseMs = Math.max(shortestPauseMs, Math.min(everyMs, pauseShare * this.#roundMs))
    this.#cancelTimer ??= this.#clock.after(pauseMs, () => {
      this.#cancelTimer = undefined
      const startedAtMs = this.#clock.monotonicMs()
      this.#running = this.#run().finally(() => {
        this.#running = undefined
        this.#roundMs = this.#clock.monotonicMs() - startedAtMs
        if ([...this.#timings.values()].some(needsTiming)) this.#schedule()
      })
    })
  }

  async #run() {
    const now = this.#clock.monotonicMs()
    for (const [id, { state, dueMs }] of this.#timings) {
      if (state.is === 'current' && state.atMs < now - forgetAfterMs) this.#timings.delete(id)
      if (state.is === 'ended' && dueMs <= now) this.#timings.delete(id)
    }
    const due = [...this.#timings].filter(([, each]) => needsTiming(each) && each.dueMs <= now)
    const ids = due.map(([id]) => id)
    try {
      await this.#timeDue(ids)
    } catch (error) {
      this.#retryLater(ids, error)
    }
  }

  /** Times the sessions of a round, the continued ones first: they do not wait for those that are behind or failed. */
  async #timeDue(due: readonly SessionId[]) {
    const startedAtMs = this.#clock.monotonicMs()
    const continued: RunningSession[] = []
    const behind: RunningSession[] = []
    const failed: RunningSession[] = []
    for (const session of await this.#readSessions(due)) {
      const { state, failures = 0 } = this.#timings.get(session.id) ?? {}
      if (failures > 0) failed.push(session)
      else if (state?.is === 'pending' && state.timing.mayContinue(session)) continued.push(session)
      else behind.push(session)
    }
    for (const group of groupsOf(continued, mostContinuedAtOnce)) await this.#timeOrRetry(group)
    for (const group of [...groupsOf(behind, mostBehindAtOnce), ...groupsOf(failed, 1)])
      if (this.#clock.monotonicMs() - startedAtMs < longestRoundMs) await this.#timeOrRetry(group)
  }

  /** Reads sessions. Forgets those that were deleted, or whose lap timing was turned off or has stopped. */
  async #readSessions(ids: readonly SessionId[]): Promise<RunningSession[]> {
    if (ids.length === 0) return []
    const before = new Map(ids.map(id => [id, this.#timings.get(id)?.state]))
    const sessions = await runningSessions(this.#db, ids)
    for (const { id } of sessions) before.delete(id)
    // Unless they were scheduled again during the read.
    for (const [id, state] of before) {
      if (this.#timings.get(id)?.state !== state) continue
      this.#timings.delete(id)
      this.#listeners.onMoved(id)
    }
    return sessions
  }

  async #timeOrRetry(sessions: readonly RunningSession[]) {
    await this.#attempt(sessions, () => this.#timeTogether(sessions))
    for (const { id } of sessions) {
      const timing = this.#timings.get(id)
      if (timing && timing.state.is !== 'starting') timing.failures = 0
    }
  }

  /** Takes a step for sessions. If it fails, they are timed from the start later, each alone. */
  async #attempt(sessions: readonly TimedSession[], step: () => Promise<void>) {
    try {
      await step()
    } catch (error) {
      if (isDatabaseAway(error)) throw error
      const [first, ...others] = sessions
      const hasFailed = first && (this.#timings.get(first.id)?.failures ?? 0) > 0
      // It failed alone, and will again.
      if (hasFailed && others.length === 0 && isLasting(error)) return this.#stop(first, error)
      this.#retryLater(
        sessions.map(({ id }) => id),
        error,
      )
    }
  }

  #retryLater(ids: readonly SessionId[], error: unknown) {
    let retryInMs = everyMs
    for (const id of ids) {
      const { failures = 0, dueMs = 0 } = this.#timings.get(id) ?? {}
      const restarted: Timing = { state: { is: 'starting' }, failures, dueMs }
      this.#timings.set(id, restarted)
      // If the database is unreachable, no session is at fault: all are timed again once it responds.
      if (isDatabaseAway(error)) continue
      const delayMs = Math.min(everyMs * 2 ** failures, longestRetryMs)
      restarted.failures += 1
      restarted.dueMs = this.#clock.monotonicMs() + delayMs
      retryInMs = Math.max(retryInMs, delayMs)
    }
    const fields = { err: error, sessions: ids.length, retryInMs }
    this.#log.warn(fields, 'failed to compute laps, will retry')
  }

  async #stop({ id, team_id: teamId }: TimedSession, error: unknown) {
    this.#timings.delete(id)
    await storeFailure(this.#db, id)
    this.#log.error({ err: error, sessionId: id, teamId }, 'lap timing of a session stopped')
    this.#listeners.live.publish(`session:${id}`, { t: 'laps-changed', session: id })
  }

  /** Times sessions up to their newest position, a batch at most, and stores their changed laps. */
  async #timeTogether(sessions: readonly RunningSession[]) {
    const atMs = this.#clock.monotonicMs()
    const started = await startTimings(
      this.#db,
      sessions.filter(session => !this.#timingOf(session.id)?.mayContinue(session)),
    )
    const group = sessions.flatMap(session => {
      const timing = started.get(session.id) ?? this.#timingOf(session.id)
      // Restarted by an update during the await.
      if (!timing) return []
      this.#setState(session.id, { is: 'current', timing, atMs })
      return [{ session, timing, readBefore: timing.read }]
    })
    const timings = group.map(({ timing }) => timing)
    const isAll = await timeNewPositions(this.#db, timings, this.#positionsAtOnce)
    const again: SessionId[] = []
    const due: DueResult[] = []
    for (const { session, timing, readBefore } of group) {
      this.#rest(session.id, atMs, timing.read - readBefore)
      await this.#attempt([session], async () => {
        if (session.status === 'Complete' && isAll) await timing.endSearch()
        if (await this.#assignCircuit(session, timing)) again.push(session.id)
        else if (!isAll) this.#setBehind(timing)
        else if (hasNewResult(session, timing)) due.push({ session, timing })
      })
    }
    for (const some of storedTogether(due))
      await this.#attempt(
        some.map(({ session }) => session),
        () => this.#store(some),
      )
    for (const { session, timing } of group) this.#tellTimed(session, timing)
    // Times these sessions on their new circuit.
    if (again.length > 0) await this.#timeOrRetry(await this.#readSessions(again))
  }

  #tellTimed({ id, shares_car }: RunningSession, { afterMs }: SessionTiming) {
    const timing = this.#timings.get(id)
    if (!timing) return
    const { movedMs } = timing
    // The first time: another process may have stopped after it stored moves, before it called.
    const isDue = movedMs === undefined || (shares_car && afterMs >= movedMs + movedEveryMs)
    if (!isDue) return
    timing.movedMs = afterMs
    this.#listeners.onMoved(id)
  }

  #rest(sessionId: SessionId, sinceMs: number, positions: number) {
    const restMs = positions * restPerPositionMs
    const timing = this.#timings.get(sessionId)
    if (timing && restMs > everyMs) timing.dueMs = sinceMs + restMs
  }

  #setBehind(timing: SessionTiming) {
    const { sessionId } = timing
    if (this.#timingOf(sessionId) === timing) this.#setState(sessionId, { is: 'behind', timing })
  }

  /** Returns true if the laps of the session must be timed again. */
  async #assignCircuit(session: TimedSession, timing: SessionTiming): Promise<boolean> {
    const { live } = this.#listeners
    const moved = await assignCircuit({ db: this.#db, live }, session, timing)
    if (timing.found) this.#setState(session.id, { is: 'starting' })
    for (const id of moved) if (id !== session.id) this.update(id)
    return moved.length > 0
  }

  async #store(due: readonly DueResult[]) {
    const sessions = new Map(due.map(({ session }) => [session.id, session]))
    const timings = due.map(({ timing }) => timing)
    const outdated = await storeUpToDate(this.#db, timings, result => {
      const session = sessions.get(result.timing.sessionId)
      if (session) this.#onLapsStored(session, result)
    })
    // After an inserted or deleted position a session is timed from the start.
    for (const { sessionId } of outdated) this.#setState(sessionId, { is: 'starting' })
  }

  #onLapsStored(session: TimedSession, result: ChangedResult) {
    const { id, status } = session
    // A finished or stopped drive cannot continue: later positions are timed from the start.
    if (status === 'Complete' || result.stopped)
      this.#setState(id, {
        is: this.#timings.get(id)?.state.is === 'current' ? 'ended' : 'starting',
      })
    if (result.timing.hasFailed)
      this.#log.error(
        { err: result.timing.error, sessionId: id, reason: result.stopped },
        'lap timing of a session stopped',
      )
    publishLaps(this.#listeners, session, result)
  }
}

/** True for a session whose timing is not up to date. */
function needsTiming({ state }: Timing): boolean {
  return state.is !== 'current' && state.is !== 'ended'
}

/** True if the result of a timing differs from the stored one. Finishes the drive of an ended session. */
function hasNewResult({ status }: TimedSession, timing: SessionTiming): boolean {
  if (status === 'Complete') timing.finish()
  return timing.mustBeStored
}

/** True for an error that the same positions cause each time, unlike one of the network or the database. */
function isLasting(error: unknown): boolean {
  return error instanceof RangeError || error instanceof TypeError || isRefusedData(error)
}
