import type { SessionId } from '#contract/ids.ts'
import type { Down, FixUp, Room, Up } from '#contract/live.ts'
import { CloseCode, protocol } from '#contract/liveRules.ts'
import { Refusal } from '#contract/refusal.ts'
import { isDatabaseAway } from '../db/errors.ts'
import { noteReceipt } from '../messages/messages.ts'
import type { Caller } from '../parts.ts'
import { claimDriving } from '../sessions/claim.ts'
import { notePhone } from '../sessions/phone.ts'
import { requireDriver } from '../sessions/sessions.ts'
import type { Floor } from './floor.ts'
import { encodeFrame } from './frame.ts'
import type { Line } from './hub.ts'
import { takeSnapshot } from './snapshot.ts'
import { type BadFrame, parseUp } from './up.ts'
import { WroteUpTo } from './wroteUpTo.ts'

/** Rooms one line may be in: the app needs two or three. */
const maxRooms = 32

/** A room where more is told than can be read is a flood; what its snapshot lacks, a later beat brings. */
const mostReads = 3

/** A test flash is on every screen of the team: not more often than it is seen. */
const testEveryMs = 1000

/** What has to wait for the database, or for what does. */
type InTurn = Extract<
  Up,
  { t: 'watch' | 'unwatch' | 'drive' | 'park' | 'receipt' | 'phone' | 'test' | 'test-seen' }
>

const nothingWaits = Promise.resolve()

/** What one line says and is answered, after its login was checked. It knows no sockets. */
export class Conversation {
  readonly #floor: Floor
  readonly #line: Line
  readonly #caller: Caller
  #greeted = false
  #driving: SessionId | null = null
  /** Only lines that ever drove have one. */
  #fixes: WroteUpTo | undefined
  /** Frames are answered in the order they came, also where one has to wait for the database. */
  #turn = nothingWaits
  #waiting = 0
  #testedAt = 0

  constructor(floor: Floor, line: Line, caller: Caller) {
    this.#floor = floor
    this.#line = line
    this.#caller = caller
  }

  get greeted(): boolean {
    return this.#greeted
  }

  /** One frame came in. */
  hear(text: string) {
    const up = this.#parse(text)
    if (!up) return this.#line.close(CloseCode.badFrame)
    if (!this.#greeted) return this.#greet(up)
    switch (up.t) {
      case 'fix':
        return this.#fix(up)
      case 'beat':
        return this.#beat(up.at)
      case 'hello':
        return
      case 'unwatch':
      case 'watch':
      case 'drive':
      case 'park':
      case 'receipt':
      case 'phone':
      case 'test':
      case 'test-seen':
        return this.#inTurn(up)
      case 'bad':
        return this.#refuse(up.re, new Refusal('invalid-input'))
    }
  }

  #parse(text: string): Up | BadFrame | null {
    try {
      return parseUp(text)
    } catch {
      return null
    }
  }

  #greet(up: Up | BadFrame) {
    if (up.t !== 'hello') return this.#line.close(CloseCode.noHello)
    if (up.protocol !== protocol) return this.#line.close(CloseCode.wrongProtocol)
    this.#greeted = true
    this.#floor.hub.join(`user:${this.#caller.userId}`, this.#line)
    this.#send({ t: 'welcome', protocol, now: Date.now(), user: this.#caller.userId })
  }

  #fix(fix: FixUp) {
    try {
      const number = this.#floor.contact(this.#requireDriving(), fix, Date.now(), this.#line)
      // Without a position there is nothing to keep, on the phone neither.
      if (fix.la !== null && fix.lo !== null) this.#wroteUpTo().note(fix.at, number)
    } catch (error) {
      this.#wroteUpTo().stop()
      this.#refuse('fix', error)
    }
  }

  #wroteUpTo(): WroteUpTo {
    return (this.#fixes ??= new WroteUpTo(this.#floor.recorder))
  }

  #beat(at: number) {
    const versions = this.#floor.hub.versionsOf(this.#line)
    const wrote = this.#fixes?.now()
    this.#send({ t: 'beat', at, now: Date.now(), versions, ...(wrote !== undefined && { wrote }) })
  }

  #inTurn(up: InTurn) {
    if (this.#waiting >= 100) return this.#line.close(CloseCode.tooMany)
    this.#waiting += 1
    this.#turn = this.#turn
      .then(() => this.#answer(up))
      .catch((error: unknown) => this.#refuse(up.t, error, 'room' in up ? up.room : undefined))
      .finally(() => {
        this.#waiting -= 1
      })
  }

  async #answer(up: InTurn) {
    switch (up.t) {
      case 'watch':
        await this.#watch(up.room)
        return
      case 'unwatch':
        return this.#unwatch(up.room)
      case 'drive':
        return this.#drive(up)
      case 'park':
        if (this.#driving) this.#unwatch(`session:${this.#driving}`)
        return
      case 'receipt':
        return noteReceipt(this.#floor, this.#requireDriving(), up)
      case 'phone':
        return notePhone(this.#floor, this.#requireDriving(), up.phone)
      case 'test':
        return this.#test(this.#requireDriving())
      case 'test-seen':
        return this.#testSeen(up.session)
    }
  }

  /**
   * Into the room first, then the snapshot: what happens in between is heard twice rather than
   * never, and reading the snapshot checks the right to be there while the line already listens.
   */
  async #watch(room: Room) {
    const { hub } = this.#floor
    if (hub.roomCountOf(this.#line) >= maxRooms && !hub.isIn(room, this.#line))
      throw new Refusal('too-many')
    hub.join(room, this.#line)
    try {
      await this.#floor.listening()
      const snapshot = await this.#readSnapshot(room)
      if (snapshot.of === 'session') {
        hub.learnVersion(room, snapshot.session.message.version)
        if (snapshot.session.status === 'Complete') hub.learnEnd(room)
      }
      this.#send({ t: 'snapshot', room, now: Date.now(), snapshot })
      return snapshot
    } catch (error) {
      this.#unwatch(room)
      throw error
    }
  }

  /** Read again when something was told meanwhile: it may have been read before that, and come after. */
  async #readSnapshot(room: Room) {
    const { hub } = this.#floor
    for (let tries = 1; ; tries++) {
      const told = hub.toldCount(room)
      const snapshot = await takeSnapshot(this.#floor, room, this.#caller.userId)
      if (hub.toldCount(room) === told || tries === mostReads) return snapshot
    }
  }

  #unwatch(room: Room) {
    // What happens to one's own login and memberships is always heard.
    if (room !== `user:${this.#caller.userId}`) this.#floor.hub.leave(room, this.#line)
    if (room === `session:${this.#driving}`) this.#driving = null
  }

  async #drive({ session, since }: Extract<Up, { t: 'drive' }>) {
    const { status } = await requireDriver(this.#floor.db, session, this.#caller.userId)
    if (status !== 'Active') throw new Refusal('session-ended')
    // Before the snapshot, which says that this line drives: fixes follow at once.
    const takesOver = since !== undefined && (await claimDriving(this.#floor.db, session, since))
    const snapshot = await this.#watch(`session:${session}`)
    if (snapshot.of === 'session' && snapshot.session.status !== 'Active') {
      throw new Refusal('session-ended')
    }
    this.#driving = session
    if (takesOver) {
      this.#floor.live.publish(`session:${session}`, { t: 'driving', session, since })
    }
  }

  /** The phone hears its own test come back: what it flashes, the team has seen too. */
  #test(session: SessionId) {
    const now = Date.now()
    if (now - this.#testedAt < testEveryMs) throw new Refusal('too-many')
    this.#testedAt = now
    this.#floor.live.publish(`session:${session}`, { t: 'test', session, at: Date.now() })
  }

  /** Whoever watches may say so: it tells the driver that somebody does. */
  #testSeen(session: SessionId) {
    const room: Room = `session:${session}`
    if (this.#floor.hub.isIn(room, this.#line)) this.#floor.testSeen(session)
  }

  /** The session this line drives. Who was taken out of its room, or whose session ended, drives no more. */
  #requireDriving(): SessionId {
    const session = this.#driving
    if (!session) throw new Refusal('not-the-driver')
    const room: Room = `session:${session}`
    const refusal = this.#floor.hub.hasEnded(room)
      ? new Refusal('session-ended')
      : this.#floor.hub.isIn(room, this.#line)
        ? null
        : new Refusal('not-a-member')
    if (!refusal) return session
    this.#driving = null
    throw refusal
  }

  #refuse(re: string, error: unknown, room?: Room) {
    const refusal = error instanceof Refusal ? error : new Refusal(why(error))
    if (refusal !== error) this.#floor.log.error({ err: error, re }, 'a frame was not answered')
    this.#send({
      t: 'refused',
      re,
      code: refusal.code,
      message: refusal.message,
      ...(room && { room }),
    })
  }

  #send(down: Down) {
    this.#floor.hub.answer(this.#line, encodeFrame(down))
  }
}

/** What a person is told of what is no refusal. */
function why(error: unknown): 'not-ready' | 'server-error' {
  return isDatabaseAway(error) ? 'not-ready' : 'server-error'
}
