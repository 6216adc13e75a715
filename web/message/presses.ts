import type { Channel } from '#client/channel/channel.ts'
import { Listeners } from '#client/listeners.ts'
import type { ServerClock } from '#client/serverClock.ts'
import type { Message } from '#contract/messages.ts'
import type { Session } from '#contract/sessions.ts'
import { maxSuperseded } from '#contract/shared/superseding.ts'
import { command, responseTimeoutMs } from '#web/api/call.ts'
import { refusalText } from '#web/api/refusalText.ts'
import type { Press } from './delivery.ts'

export interface Failed {
  readonly press: Press
  readonly why: string
  /** Version of the message at the press: a newer one supersedes the failure. */
  readonly afterVersion: number
}

export interface PressState {
  /** The newest press without a response. */
  readonly pending: Press | null
  /** The last press, if it failed, and the reason. */
  readonly failed: Failed | null
}

/** A failure that no screen shows, and the session as it was known at the press. */
type OnUnseenFailure = (failed: Failed, session: Session | null) => void

interface Options {
  /**
   * Sends a press that supersedes these commands. Null: another phone of the car got it. Rejects if the server refused it
   * or did not respond.
   */
  readonly send: (
    press: Press,
    supersedes: readonly string[],
  ) => Promise<Pick<Message, 'version'> | null>
  /** The session as this page knows it; null while no screen follows it. */
  readonly session: () => Session | null
  /** The presses to other sessions, of which some may be of the same car. */
  readonly others: () => Iterable<Presses>
  /** Called when the last press failed while no screen is open that shows it. */
  readonly onUnseenFailure: OnUnseenFailure
}

interface QueuedPress {
  readonly press: Press
  /** Commands without a response to other sessions of the car, at the time of the press. */
  readonly supersedes: readonly string[]
}

/**
 * The presses of this page to one session, from whichever screen. Sends them one at a time, so that they arrive in
 * order, also after their screen was closed. While a request is pending only the newest later press is queued, since
 * each message replaces the one before. A request without a response may arrive after the next one, which therefore
 * names its command as superseded; without a next one the server refuses it after `validUntil`. A press also supersedes
 * those without a response to other phones of its car: the server sends them to the same phone.
 */
export class Presses {
  readonly #options: Options
  readonly #listeners = new Listeners()
  #openScreens = 0
  #state: PressState = { pending: null, failed: null }
  #queued: QueuedPress | null = null
  #sent: Press | null = null
  /** Commands that failed since the last response, the oldest first: their requests may still reach the server. */
  #failedCommands: readonly string[] = []
  /** As known at the last press: the page forgets it when the screen is closed. */
  #session: Session | null = null
  /** The newest version of the message that was on the board at a press, or that a press stored. */
  #version = 0

  constructor(options: Options) {
    this.#options = options
  }

  /** The same object until it changes. */
  get state(): PressState {
    return this.#state
  }

  /** Calls the listener after each change of the state. The result removes it. */
  readonly onChange = (listener: () => void): (() => void) => this.#listeners.add(listener)

  /** The car of the session; null if it has none, or is not known. */
  get #carId(): string | null {
    return (this.#options.session() ?? this.#session)?.car?.id ?? null
  }

  /** Commands without a response. */
  get #unanswered(): readonly string[] {
    const open = [this.#sent, this.#queued?.press].flatMap(press => press?.commandId ?? [])
    return [...this.#failedCommands, ...open]
  }

  /** Counts a screen that shows the state. Call the result when it is closed. */
  openScreen(): () => void {
    this.#openScreens += 1
    return () => {
      this.#openScreens -= 1
    }
  }

  /** `version` is that of the message on the board. */
  press(press: Press, version: number) {
    this.#queued = { press, supersedes: this.#unansweredByCar() }
    this.#version = Math.max(this.#version, version)
    this.#session = this.#options.session() ?? this.#session
    // The request starts before any screen renders.
    if (!this.#sent) void this.#sendAll()
    this.#set({ pending: press, failed: null })
  }

  /** Drops the failure: a newer message has replaced it on the board. */
  dropFailed() {
    this.#set({ ...this.#state, failed: null })
  }

  /** Returns the commands without a response to other sessions of the car. */
  #unansweredByCar(): string[] {
    const carId = this.#carId
    if (carId === null) return []
    return [...this.#options.others()].flatMap(other =>
      other !== this && other.#carId === carId ? other.#unanswered : [],
    )
  }

  async #sendAll() {
    let failed: Failed | null = null
    for (let next = this.#queued; next; next = this.#queued) {
      this.#queued = null
      this.#sent = next.press
      // A newer press supersedes the failure of an earlier one.
      failed = await this.#send(next)
    }
    this.#sent = null
    this.#set({ pending: null, failed })
    if (failed && this.#openScreens === 0) this.#options.onUnseenFailure(failed, this.#session)
  }

  async #send({ press, supersedes: ofOthers }: QueuedPress): Promise<Failed | null> {
    const afterVersion = this.#version
    const supersedes = [...new Set([...this.#failedCommands, ...ofOthers])]
      .filter(id => id !== press.commandId)
      .slice(-maxSuperseded)
    try {
      const sent = await this.#options.send(press, supersedes)
      this.#failedCommands = []
      this.#version = Math.max(this.#version, sent?.version ?? 0)
      return null
    } catch (reason) {
      this.#failedCommands = [...supersedes, press.commandId].slice(-maxSuperseded)
      return { press, why: refusalText(reason), afterVersion }
    }
  }

  #set(state: PressState) {
    this.#state = state
    this.#listeners.notify()
  }
}

interface ChannelPresses {
  readonly sessions: Map<string, Presses>
  readonly unseenFailures: Listeners<Parameters<OnUnseenFailure>>
}

const pressesByChannel = new WeakMap<Channel, ChannelPresses>()

/** Returns the presses to a session; one object per channel and session, shared by all screens. */
export function pressesOf(channel: Channel, sessionId: string): Presses {
  const { sessions, unseenFailures } = ofChannel(channel)
  const known = sessions.get(sessionId)
  if (known) return known
  const presses = new Presses({
    async send({ colour: _ofTeam, pressedAt, ...press }, supersedes) {
      const { sessionId: reachedId, ...message } = await command('messages.set', {
        sessionId,
        ...press,
        // Without a synchronised clock the server takes the time at which the request arrives.
        pressedAt: channel.clock.dated(pressedAt) ?? undefined,
        validUntil: validUntil(channel.clock),
        ...(supersedes.length > 0 && { supersedes: [...supersedes] }),
      })
      channel.mergeMessage(reachedId, message)
      return reachedId === sessionId ? message : null
    },
    session: () => channel.session(sessionId).session,
    others: () => sessions.values(),
    onUnseenFailure: (...failure) => unseenFailures.notify(...failure),
  })
  sessions.set(sessionId, presses)
  return presses
}

/** How wrong the estimate of the server's clock may be, and how much the clocks of several nodes may differ. */
const clockToleranceMs = 5000

/**
 * Returns the time after which the server refuses a request that is sent now, because this page has shown it as failed.
 * Undefined without a synchronised clock.
 */
export function validUntil(clock: Pick<ServerClock, 'isSynchronized' | 'now'>): number | undefined {
  if (!clock.isSynchronized) return undefined
  return clock.now() + responseTimeoutMs + clockToleranceMs
}

/** Calls the listener when the last press to a session failed and no open screen shows it. The result removes it. */
export function onUnseenFailure(channel: Channel, listener: OnUnseenFailure): () => void {
  return ofChannel(channel).unseenFailures.add(listener)
}

function ofChannel(channel: Channel): ChannelPresses {
  const known = pressesByChannel.get(channel)
  if (known) return known
  const created: ChannelPresses = { sessions: new Map(), unseenFailures: new Listeners() }
  pressesByChannel.set(channel, created)
  return created
}
