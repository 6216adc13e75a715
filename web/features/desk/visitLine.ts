import { io, type Socket } from 'socket.io-client'
import type { AgentPass } from '#contract/support.ts'
import { viewEvent } from '#contract/supportRules.ts'
import { AgentCall, type CallFailure } from './agentCall.ts'
import { Asking, type Stage } from './asking.ts'
import { PageStream } from './pageStream.ts'

/** Left and right, up and down, in CSS pixels of the visitor's page. */
export type Point = readonly [number, number]

/** What went wrong with a call. */
export type CallTrouble = 'microphone' | CallFailure

export interface VisitState {
  /** Lost: it does not come back by itself. Away: the page is, and may. */
  readonly line: 'opening' | 'open' | 'away' | 'lost'
  readonly control: Stage
  readonly recording: Stage
  readonly call: Stage
  readonly callTrouble: CallTrouble | null
  readonly muted: boolean
  /** There is a recording that can be saved. */
  readonly recorded: boolean
  /** A recording became larger than what is kept, and was ended. */
  readonly full: boolean
}

/** What tabs and the desk send, as far as it is looked at. Rules: docs/SUPPORT.md. */
interface Sent {
  meta?: { tabId?: string }
  data?: unknown
}

/** An agent's line to one page of a visit. Closing it ends everything. It knows no React. */
export class VisitLine {
  readonly page: PageStream
  readonly #pass: AgentPass
  readonly #tabId: string
  readonly #socket: Socket
  readonly #listeners = new Set<() => void>()
  readonly #calls: AgentCall
  readonly #control: Asking
  readonly #recording: Asking
  readonly #call: Asking
  #line: VisitState['line'] = 'opening'
  #callTrouble: CallTrouble | null = null
  #muted = false
  #full = false
  #state: VisitState

  constructor(pass: AgentPass, tabId: string) {
    this.#pass = pass
    this.#tabId = tabId
    const changed = () => this.#tell()
    this.#control = new Asking({ changed, expired: () => this.#send('release_control') })
    this.#recording = new Asking({ changed, expired: () => undefined })
    this.#call = new Asking({ changed, expired: () => this.#stopCall() })
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
      // The pass is for five minutes, and what was granted is over anyway.
      reconnection: false,
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

  /** Ends it, or takes back what was asked. */
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

  /** Calls the person, with the agent's microphone. What goes wrong is in the state. */
  async startCall(): Promise<void> {
    this.#callTrouble = null
    this.#muted = false
    this.#call.ask()
    try {
      // The page gets ready for a call when it hears a name, and forgets it with each call.
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
    this.#tell()
  }

  /** In the page's coordinates, from its upper left corner. */
  move(at: Point) {
    this.#send('move', at)
  }

  /** In coordinates of what is seen of the page. */
  click(at: Point) {
    this.#send('click', at)
  }

  /** By so much, below the last `move`. */
  scroll(by: Point) {
    this.#send('scroll', by)
  }

  /** The whole text of the field that was clicked last. */
  write(text: string) {
    this.#send('input', text)
  }

  /** A stroke of the pen, in coordinates of what is seen of the page. */
  draw(step: 'start' | 'move', at: Point) {
    this.#send(`${step}Annotation`, at)
  }

  endStroke() {
    this.#send('stopAnnotation')
  }

  close() {
    this.#listeners.clear()
    // Without an agent the page ends control, recording and call by itself.
    this.#socket.disconnect()
    this.#calls.close()
    this.#end()
  }

  #listen() {
    const own = (sent: Sent | undefined) => sent?.data === this.#socket.id
    const here = (sent: Sent | undefined) => sent?.meta?.tabId === this.#tabId
    this.#socket
      .on('connect', () => this.#become('open'))
      .on('connect_error', () => this.#lose())
      .on('disconnect', () => this.#lose())
      // Without a tab: there is none at all.
      .on('SESSION_DISCONNECTED', (tabId?: string | null) => {
        if ((tabId ?? this.#tabId) === this.#tabId) this.#leavePage('away')
      })
      .on('SESSION_RECONNECTED', (tabId: string) => {
        if (tabId === this.#tabId) this.#leavePage('open')
      })
      .on('control_granted', (sent?: Sent) => own(sent) && here(sent) && this.#control.granted())
      .on('control_rejected', (sent?: Sent) => own(sent) && here(sent) && this.#control.rejected())
      .on('control_busy', (sent?: Sent) => own(sent) && this.#control.busy())
      .on('recording_accepted', (sent?: Sent) => own(sent) && here(sent) && this.#hearRecording())
      .on(
        'recording_rejected',
        (sent?: Sent) => own(sent) && here(sent) && this.#recording.rejected(),
      )
      .on('recording_busy', (sent?: Sent) => own(sent) && this.#recording.busy())
      .on('call_end', (sent?: Sent) => here(sent) && this.#hearCallEnd())
      .on(viewEvent, (sent?: Sent) => {
        if (here(sent) && sent?.data instanceof ArrayBuffer) this.page.take(sent.data)
      })
  }

  #send(event: string, data?: unknown) {
    if (this.#socket.connected) this.#socket.emit(event, { meta: { tabId: this.#tabId }, data })
  }

  #hearRecording() {
    const { stage } = this.#recording
    // One that the page gives back after an absence goes on.
    if (stage === 'asked' || stage === 'expired') this.page.forgetRecording()
    this.#recording.granted()
  }

  #hearCallEnd() {
    this.#calls.hangUp()
    this.#call.rejected()
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

  /** The page went, or is there anew: it has to say again what it allows. */
  #leavePage(line: VisitState['line']) {
    if (this.#line === 'lost') return
    this.#calls.hangUp()
    this.#control.lost()
    this.#recording.lost()
    this.#call.lost()
    this.#become(line)
  }

  #lose() {
    this.#calls.close()
    this.#end()
    this.#become('lost')
  }

  #end() {
    for (const asking of [this.#control, this.#recording, this.#call]) asking.end()
  }

  #become(line: VisitState['line']) {
    this.#line = line
    this.#tell()
  }

  #tell() {
    const recorded = this.#recording.stage === 'granted'
    this.page.allow({ seen: recorded || this.#control.stage === 'granted', recorded })
    this.#state = this.#snapshot()
    for (const listener of this.#listeners) listener()
  }

  #snapshot(): VisitState {
    return {
      line: this.#line,
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
