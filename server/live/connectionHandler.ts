import type { SessionId } from '#contract/ids.ts'
import type { Down, DownOf, FixUp, RoomName, Snapshot, Up, UpOf } from '#contract/live.ts'
import { Refusal } from '#contract/refusal.ts'
import { CloseCode, minProtocol, protocol } from '#contract/shared/liveRules.ts'
import type { Caller } from '../context.ts'
import { isStatementTimeout } from '../db/errors.ts'
import { asRefusal } from '../http/refuse.ts'
import { recordAnswer } from '../messages/answers.ts'
import { recordReceipt } from '../messages/receipts.ts'
import { accessRefusal } from '../rights/access.ts'
import { frameAccess } from '../rights/frameAccess.ts'
import { requireDriver, requireSessionEditor } from '../rights/requireSession.ts'
import { claimDriving } from '../sessions/claim.ts'
import { savePhoneState } from '../sessions/phone.ts'
import { recordShownFlag } from '../timing/shownFlag.ts'
import type { LiveContext } from './context.ts'
import { enterRoom } from './enterRoom.ts'
import { FixAckTracker } from './fixAckTracker.ts'
import { FrameLanes, type QueuedUp } from './frameLanes.ts'
import { FrameLimits } from './frameLimits.ts'
import type { Connection } from './publish/connection.ts'
import { encodeFrame } from './publish/frame.ts'
import { type BadFrame, parseUp, type RefusedSubject, subjectOf } from './up.ts'

/** Every screen of the team shows a test flash: accept no more of them than can be seen. */
const testIntervalMs = 1000

/** The authenticated client of a connection. */
export interface Peer {
  caller: Caller
  address: string | undefined
}

/** Handles the frames of one authenticated connection. It is independent of sockets. */
export class ConnectionHandler {
  readonly #context: LiveContext
  readonly #connection: Connection
  readonly #caller: Caller
  #helloReceived = false
  #driving: SessionId | null = null
  /** The room of `#driving`. It is stored, because a string built for each fix would be hashed at each lookup. */
  #drivingRoom: RoomName = 'session:'
  /** Created at the first fix: most connections never send one. */
  #fixAckTracker: FixAckTracker | undefined
  /** Only exists while a frame that needs the database is pending: 10,000 idle lanes would take 6 MB. */
  #lanes: FrameLanes | undefined
  readonly #address: string | undefined
  /** Created at the first frame that needs the database, and discarded once all its tokens are refilled. */
  #limits: FrameLimits | undefined
  #testedAt = 0

  /** `address` (IP) is undefined if the connection's network is not limited. */
  constructor(context: LiveContext, connection: Connection, { caller, address }: Peer) {
    this.#context = context
    this.#connection = connection
    this.#caller = caller
    this.#address = address
  }

  get helloReceived(): boolean {
    return this.#helloReceived
  }

  /** Handles one frame of the client. */
  onMessage(text: string) {
    const up = this.#parse(text)
    if (!up) return this.#connection.close(CloseCode.badFrame)
    if (!this.#helloReceived) return this.#onHello(up)
    const refusal = accessRefusal(this.#caller, frameAccess[up.t])
    if (refusal) return this.#refuse(up.t, refusal, up.t === 'bad' ? {} : subjectOf(up))
    switch (up.t) {
      case 'fix':
        return this.#onFix(up)
      case 'heartbeat':
        return this.#onHeartbeat(up)
      case 'hello':
        return
      case 'unsubscribe':
      case 'subscribe':
      case 'drive':
      case 'stop-driving':
      case 'phone':
      case 'test':
      case 'test-seen':
      case 'receipt':
      case 'answer':
      case 'flag-shown':
        return this.#enqueue(up)
      case 'bad':
        if (up.re === 'fix') this.#fixAcks().stop()
        return this.#refuse(up.re, new Refusal('invalid-input'))
    }
  }

  /** Discards rate limits whose tokens are refilled, to free the memory of an idle connection. Call it periodically. */
  discardFullLimits(nowMs: number) {
    if (this.#limits?.isFull(nowMs)) this.#limits = undefined
  }

  #parse(text: string): Up | BadFrame | null {
    try {
      return parseUp(text)
    } catch {
      return null
    }
  }

  #onHello(up: Up | BadFrame) {
    if (up.t !== 'hello') return this.#connection.close(CloseCode.noHello)
    if (up.protocol < minProtocol || up.protocol > protocol)
      return this.#connection.close(CloseCode.wrongProtocol)
    this.#helloReceived = true
    const own: RoomName = `user:${this.#caller.userId}`
    this.#context.hub.join(own, this.#connection)
    if (!this.#mayRead()) this.#context.hub.mute(own, this.#connection)
    this.#send({
      t: 'welcome',
      protocol,
      now: this.#context.clock.now(),
      user: this.#caller.userId,
    })
  }

  /** False for a device that may not read the changes of its owner's account and teams. */
  #mayRead(): boolean {
    return accessRefusal(this.#caller, frameAccess.subscribe) === null
  }

  /** Records a fix if this connection drives, and counts it for the acknowledgement; else refuses it. */
  #onFix(fix: FixUp) {
    try {
      const from = { connection: this.#connection, address: this.#address }
      const recorded = this.#context.recordFix(this.#requireDataLink(), fix, from)
      // A fix without a position has nothing to store. A fix over the rate limit is dropped: the acknowledgement
      // of a later fix covers it (F10).
      if (recorded && fix.la !== null && fix.lo !== null)
        this.#fixAcks().add(fix.at, recorded.number)
    } catch (error) {
      // Without a data link the fix counts as stored: the phone deletes it.
      if (asRefusal(error).code !== 'data-link-off') this.#fixAcks().stop()
      this.#refuse('fix', error)
    }
  }

  #fixAcks(): FixAckTracker {
    return (this.#fixAckTracker ??= new FixAckTracker(this.#context.recorder))
  }

  #onHeartbeat({ at }: UpOf<'heartbeat'>) {
    const { hub, clock } = this.#context
    const wrote = this.#fixAckTracker?.storedUpTo()
    this.#send({
      t: 'heartbeat',
      at,
      now: clock.now(),
      ...hub.newsOf(this.#connection),
      ...(wrote !== undefined && { wrote }),
    })
  }

  #enqueue(up: QueuedUp) {
    const refuse = (error: unknown) => this.#refuse(up.t, error, subjectOf(up))
    this.#limits ??= new FrameLimits(this.#context.userFrames, this.#caller.userId)
    if (!this.#limits.allows(up, this.#context.clock.monotonicMs()))
      return refuse(new Refusal('too-many', { retryAfterSeconds: 1 }))
    this.#lanes ??= new FrameLanes({
      onError: error => this.#fail(error),
      onIdle: () => {
        this.#lanes = undefined
      },
    })
    const hasRoom = this.#lanes.add(up.t, () => this.#handle(up).catch(refuse))
    if (!hasRoom) refuse(new Refusal('too-many'))
  }

  /** Limits a bug in a handler to this connection: it must not end the process. */
  #fail(error: unknown) {
    this.#logError({ err: error })
    this.#connection.close(CloseCode.internalError)
  }

  async #handle(up: QueuedUp): Promise<void> {
    switch (up.t) {
      case 'subscribe':
        return this.#subscribe(up.room)
      case 'unsubscribe':
        return this.#unsubscribe(up.room)
      case 'drive':
        return this.#drive(up)
      case 'stop-driving':
        if (this.#driving) this.#unsubscribe(this.#drivingRoom)
        return
      case 'receipt':
        return recordReceipt(this.#context, this.#requireDataLink(), up)
      case 'answer':
        return recordAnswer(this.#context, this.#requireDataLink(), up)
      case 'flag-shown':
        return recordShownFlag(this.#context, this.#requireDataLink(), up)
      case 'phone':
        return savePhoneState(this.#context, this.#requireDataLink(), up.phone, this.#connection)
      case 'test':
        return this.#test(this.#requireDataLink())
      case 'test-seen':
        return this.#testSeen(up.session)
    }
  }

  async #subscribe(room: RoomName) {
    await this.#enter(room, snapshot => this.#snapshotFrame(room, snapshot))
  }

  #enter(room: RoomName, buildFrame: (snapshot: Snapshot) => Down): Promise<Snapshot> {
    const { userId } = this.#caller
    return enterRoom(this.#context, { connection: this.#connection, userId, room }, buildFrame)
  }

  #unsubscribe(room: RoomName) {
    // A connection stays in its user's room: it always receives changes of its login and memberships.
    if (room !== `user:${this.#caller.userId}`) this.#context.hub.leave(room, this.#connection)
    if (room === this.#drivingRoom) this.#driving = null
  }

  async #drive({ session, since }: UpOf<'drive'>) {
    const { status } = await requireDriver(this.#context.db, session, this.#caller.userId)
    if (status !== 'Active') throw new Refusal('session-ended')
    const takesOver =
      since !== undefined &&
      (await claimDriving(this.#context.db, session, {
        opened: since,
        loginId: this.#caller.loginId,
        now: this.#context.clock.now(),
      }))
    const room: RoomName = `session:${session}`
    const snapshot = await this.#enter(room, read => ({
      ...this.#snapshotFrame(room, read),
      ...(isActive(read) && { drive: { since: since ?? null } }),
    }))
    if (!isActive(snapshot)) throw new Refusal('session-ended')
    // A refused fix of the last session must not end the acknowledgements of this one.
    if (session !== this.#driving) this.#fixAckTracker = undefined
    this.#driving = session
    this.#drivingRoom = room
    this.#context.hub.drive(room, this.#connection)
    if (takesOver) this.#context.live.publish(room, { t: 'driving', session, since })
  }

  #snapshotFrame(room: RoomName, snapshot: Snapshot): DownOf<'snapshot'> {
    return { t: 'snapshot', room, now: this.#context.clock.now(), snapshot }
  }

  /**
   * Publishes the driver's test flash to the session's room, the sender included: the phone flashes together
   * with the team's screens.
   */
  #test(session: SessionId) {
    const now = this.#context.clock.now()
    if (now - this.#testedAt < testIntervalMs) throw new Refusal('too-many')
    this.#testedAt = now
    this.#context.live.publish(this.#drivingRoom, { t: 'test', session, at: now })
  }

  /** Only members who may send messages and have the session open may report that the team sees the test flash. */
  async #testSeen(session: SessionId) {
    const { db, hub } = this.#context
    const room: RoomName = `session:${session}`
    if (!hub.isSubscribed(room, this.#connection)) return
    if (!hub.hasDataLink(room)) throw new Refusal('data-link-off')
    await requireSessionEditor(db, session, this.#caller.userId)
    this.#context.testSeen(session)
  }

  /**
   * Returns the session this connection drives. Refuses if the user was removed from its room or the session
   * has ended.
   */
  #requireDriving(): SessionId {
    const session = this.#driving
    if (!session) throw new Refusal('not-the-driver')
    const room = this.#drivingRoom
    const refusal = this.#context.hub.hasEnded(room)
      ? new Refusal('session-ended')
      : this.#context.hub.isSubscribed(room, this.#connection)
        ? null
        : new Refusal('not-a-member')
    if (!refusal) return session
    // Keep it after the end, so that every frame still in flight is refused as `session-ended`.
    if (refusal.code !== 'session-ended') this.#driving = null
    throw refusal
  }

  /** Returns the session this connection drives. Refuses while its data link is off. */
  #requireDataLink(): SessionId {
    const session = this.#requireDriving()
    if (!this.#context.hub.hasDataLink(this.#drivingRoom)) throw new Refusal('data-link-off')
    return session
  }

  #refuse(re: string, error: unknown, subject: RefusedSubject = {}) {
    // Clients repeat what is `not-ready` later; `too-slow` would end driving.
    const refusal = isStatementTimeout(error) ? new Refusal('not-ready') : asRefusal(error)
    if (refusal !== error) this.#logError({ err: error, re })
    const { code, message, retryAfterSeconds } = refusal
    const retry = retryAfterSeconds !== undefined && { retryAfterSeconds }
    this.#send({ t: 'refused', re, code, message, ...subject, ...retry })
  }

  #logError(fields: object) {
    const { id: connectionId, userId } = this.#connection
    this.#context.log.error({ ...fields, connectionId, userId }, 'failed to handle frame')
  }

  #send(down: Down) {
    this.#context.hub.send(this.#connection, encodeFrame(down))
  }
}

function isActive(snapshot: Snapshot): boolean {
  return snapshot.of === 'session' && snapshot.session.status === 'Active'
}
