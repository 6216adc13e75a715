import { io, type Socket } from 'socket.io-client'
import type { AgentPass } from '#support/contract/support.ts'
import { viewEvent } from '#support/contract/supportRules.ts'
import { PageStream } from '../page/pageStream.ts'
import { AgentCall, type CallFailure } from './agentCall.ts'
import { ConsentRequest, type Stage } from './consentRequest.ts'

/** Horizontal and vertical, in CSS pixels of the visitor's page. */
export type Point = readonly [number, number]

/** Why a call failed. */
export type CallTrouble = 'microphone' | CallFailure

export interface VisitState {
  /** `lost`: no automatic reconnect. `away`: the page is disconnected and may come back. */
  readonly connection: 'opening' | 'open' | 'away' | 'lost'
  readonly control: Stage
  readonly recording: Stage
  readonly call: Stage
  readonly callTrouble: CallTrouble | null
  readonly muted: boolean
  /** There is a recording that can be saved. */
  readonly recorded: boolean
  /** A recording reached its maximum size and was ended. */
  readonly full: boolean
}

/** After this time a connection that does not open counts as lost. The library would wait for 20 s. */
const connectTimeoutMs = 10_000

/** The parts of messages from tabs and the desk that are read here. Rules: docs/SUPPORT.md. */
interface Envelope {
  meta?: { tabId?: string }
  data?: unknown
}

/**
 * An agent's connection to one page of a visit. Closing it ends control, recording and call.
 * Independent of React.
 */
export class VisitConnection {
  readonly page: PageStream
  readonly #pass: AgentPass
  readonly #tabId: string
  readonly #socket: Socket
  readonly #listeners = new Set<() => void>()
  readonly #calls: AgentCall
  readonly #control: ConsentRequest
  readonly #recording: ConsentRequest
  readonly #call: ConsentRequest
  #connection: VisitState['connection'] = 'opening'
  #callTrouble: CallTrouble | null = null
  #muted = false
  #full = false
  #state: VisitState

  constructor(pass: AgentPass, tabId: string) {
    this.#pass = pass
    this.#tabId = tabId
    const changed = () => this.#notify()
    this.#control = new ConsentRequest({ changed, expired: () => this.#send('release_control') })
    this.#recording = new ConsentRequest({ changed, expired: () => undefined })
    this.#call = new ConsentRequest({ changed, expired: () => this.#stopCall() })
    this.page = new PageStream(() => {
      this.#full = true
      this.stopRecording()
    })
    this.#calls = new AgentCall(pass, {
      answered: () => this.#call.granted(),
      failed: why => this.#failCall(why),
    })
    this.#state = this.#snapshot()
    this.#socket = io(location.origin, {
      path: '/ws-assist/socket',
      transports: ['websocket'],
      forceNew: true,
      // The pass is valid for five minutes, and a disconnect ends every grant anyway.
      reconnection: false,
      timeout: connectTimeoutMs,
      query: { identity: 'agent', peerId: pass.room },
      auth: { token: pass.token },
    })
    this.#listen()
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly state = (): VisitState => this.#state

  askControl() {
    this.#control.ask()
    this.#send('request_control')
  }

  /** Ends control, or withdraws the request for it. */
  endControl() {
    this.#send('release_control')
    this.#control.end()
  }

  askRecording() {
    this.#full = false
    this.#recording.ask()
    this.#send('request_recording')
  }

  stopRecording() {
    this.#send('stop_recording')
    this.#recording.end()
  }

  /** Calls the person, with the agent's microphone. Failures are in the state. */
  async startCall(): Promise<void> {
    this.#callTrouble = null
    this.#muted = false
    this.#call.ask()
    try {
      // The page prepares for a call when it receives the agent's name, and forgets the name after each
      // call.
      this.#send('_agent_name')
      await this.#calls.call(`${this.#pass.room}-${this.#tabId}`)
    } catch {
      this.#failCall('microphone')
    }
  }

  hangUp() {
    this.#stopCall()
    this.#call.end()
  }

  mute(muted: boolean) {
    this.#muted = muted
    this.#calls.mute(muted)
    this.#notify()
  }

  /** In page coordinates, from the page's upper left corner. */
  move(at: Point) {
    this.#send('move', at)
  }

  /** In viewport coordinates. */
  click(at: Point) {
    this.#send('click', at)
  }

  /** Scrolls by this distance, at the position of the last `move`. */
  scroll(by: Point) {
    this.#send('scroll', by)
  }

  /** Replaces the whole text of the field that was clicked last. */
  write(text: string) {
    this.#send('input', text)
  }

  /** A step of a pen stroke, in viewport coordinates. */
  draw(step: 'start' | 'move', at: Point) {
    this.#send(`${step}Annotation`, at)
  }

  endStroke() {
    this.#send('stopAnnotation')
  }

  close() {
    this.#listeners.clear()
    // Without agents the page itself ends control, recording and call.
    this.#socket.disconnect()
    this.#calls.close()
    this.#end()
  }

  #listen() {
    const own = (sent: Envelope | undefined) => sent?.data === this.#socket.id
    const here = (sent: Envelope | undefined) => sent?.meta?.tabId === this.#tabId
    this.#socket
      .on('connect', () => this.#setConnection('open'))
      .on('connect_error', () => this.#onLost())
      .on('disconnect', () => this.#onLost())
      // Without a tab id: no tab is left.
      .on('SESSION_DISCONNECTED', (tabId?: string | null) => {
        if ((tabId ?? this.#tabId) === this.#tabId) this.#resetPage('away')
      })
      .on('SESSION_RECONNECTED', (tabId: string) => {
        if (tabId === this.#tabId) this.#resetPage('open')
      })
      .on(
        'control_granted',
        (sent?: Envelope) => own(sent) && here(sent) && this.#control.granted(),
      )
      .on(
        'control_rejected',
        (sent?: Envelope) => own(sent) && here(sent) && this.#control.rejected(),
      )
      .on('control_busy', (sent?: Envelope) => own(sent) && this.#control.busy())
      .on(
        'recording_accepted',
        (sent?: Envelope) => own(sent) && here(sent) && this.#onRecordingAccepted(),
      )
      .on(
        'recording_rejected',
        (sent?: Envelope) => own(sent) && here(sent) && this.#recording.rejected(),
      )
      .on('recording_busy', (sent?: Envelope) => own(sent) && this.#recording.busy())
      .on('call_end', (sent?: Envelope) => here(sent) && this.#onCallEnd())
      .on('call_busy', (sent?: Envelope) => own(sent) && here(sent) && this.#onCallBusy())
      .on(viewEvent, (sent?: Envelope) => {
        if (here(sent) && sent?.data instanceof ArrayBuffer) this.page.take(sent.data)
      })
  }

  #send(event: string, data?: unknown) {
    if (this.#socket.connected) this.#socket.emit(event, { meta: { tabId: this.#tabId }, data })
  }

  #onRecordingAccepted() {
    const { stage } = this.#recording
    // A recording restored after a reconnect continues.
    if (stage === 'asked' || stage === 'expired') this.page.forgetRecording()
    this.#recording.granted()
  }

  #onCallEnd() {
    this.#calls.hangUp()
    this.#call.rejected()
  }

  #onCallBusy() {
    this.#calls.hangUp()
    this.#call.busy()
  }

  #stopCall() {
    this.#send('call_end')
    this.#calls.hangUp()
  }

  #failCall(trouble: CallTrouble) {
    if (this.#call.stage !== 'asked' && this.#call.stage !== 'granted') return
    this.#callTrouble = trouble
    this.hangUp()
  }

  /** The page disconnected or was reloaded: it has to grant everything again. */
  #resetPage(connection: VisitState['connection']) {
    if (this.#connection === 'lost') return
    this.#calls.hangUp()
    this.#control.lost()
    this.#recording.lost()
    this.#call.lost()
    this.#setConnection(connection)
  }

  #onLost() {
    this.#calls.close()
    this.#end()
    this.#setConnection('lost')
  }

  #end() {
    for (const request of [this.#control, this.#recording, this.#call]) request.end()
  }

  #setConnection(connection: VisitState['connection']) {
    this.#connection = connection
    this.#notify()
  }

  #notify() {
    const recorded = this.#recording.stage === 'granted'
    this.page.allow({ seen: recorded || this.#control.stage === 'granted', recorded })
    this.#state = this.#snapshot()
    for (const listener of this.#listeners) listener()
  }

  #snapshot(): VisitState {
    return {
      connection: this.#connection,
      control: this.#control.stage,
      recording: this.#recording.stage,
      call: this.#call.stage,
      callTrouble: this.#callTrouble,
      muted: this.#muted,
      recorded: this.page.recorded.length > 0,
      full: this.#full,
    }
  }
}
