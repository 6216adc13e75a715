import { silence } from './silence.ts'

/**
 * The buttons of a Bluetooth remote or headset: switched off; the browser has not said yet whether it
 * plays; a press would be heard; one was heard; the browser does not play; it knows no such buttons.
 */
export type MediaButtonState = 'off' | 'asked' | 'ready' | 'works' | 'refused' | 'unsupported'

const actions = ['play', 'pause', 'nexttrack', 'previoustrack'] as const
const storageKey = 'pitboard.mediaButton'

/**
 * Hears these buttons. They go to a page that plays something, so it plays silence, which may stop the
 * radio or the navigation of the same phone: only for who switched it on, on this device.
 */
export class MediaButton {
  #state: MediaButtonState = canHear() ? 'off' : 'unsupported'
  #end: (() => void) | null = null
  readonly #stateListeners = new Set<() => void>()
  readonly #pressListeners = new Set<() => void>()

  get state(): MediaButtonState {
    return this.#state
  }

  onState(listener: () => void): () => void {
    this.#stateListeners.add(listener)
    return () => this.#stateListeners.delete(listener)
  }

  /** Tells of each press. When nobody wants to hear of them any more, the silence ends. */
  onPress(listener: () => void): () => void {
    this.#pressListeners.add(listener)
    return () => {
      this.#pressListeners.delete(listener)
      if (this.#pressListeners.size === 0) this.#stop()
    }
  }

  /** Listens, if it is switched on. Call it in a tap; again changes nothing, or tries once more. */
  listen() {
    if (this.#state === 'unsupported' || this.#end || !isWanted()) return
    this.#become('asked')
    this.#play()
  }

  /** Switches it on or off. Call it in a tap. */
  toggle() {
    const wanted = this.#state === 'off'
    keepWanted(wanted)
    if (wanted) this.listen()
    else this.#stop()
  }

  #play() {
    const url = URL.createObjectURL(silence())
    const player = new Audio(url)
    player.loop = true
    const end = () => {
      for (const action of actions) navigator.mediaSession.setActionHandler(action, null)
      player.pause()
      URL.revokeObjectURL(url)
    }
    const isOver = () => this.#end !== end
    const press = () => {
      // The browser takes "pause" for done: without a player that goes on there is no next press.
      void player.play().catch(() => undefined)
      navigator.mediaSession.playbackState = 'playing'
      this.#become('works')
      for (const listener of this.#pressListeners) listener()
    }
    for (const action of actions) navigator.mediaSession.setActionHandler(action, press)
    this.#end = end
    player.play().then(
      () => {
        if (!isOver()) this.#become('ready')
      },
      (reason: unknown) => {
        if (isOver()) return
        reportError(new Error(`The headset button is not heard: ${String(reason)}`))
        this.#stop()
        this.#become('refused')
      },
    )
  }

  #stop() {
    const end = this.#end
    this.#end = null
    end?.()
    if (this.#state !== 'unsupported') this.#become('off')
  }

  #become(state: MediaButtonState) {
    if (state === this.#state) return
    this.#state = state
    for (const listener of this.#stateListeners) listener()
  }
}

/** This device's. */
export const mediaButton = new MediaButton()

function canHear(): boolean {
  return 'mediaSession' in navigator
}

function isWanted(): boolean {
  try {
    return localStorage.getItem(storageKey) === 'on'
  } catch {
    return false
  }
}

function keepWanted(wanted: boolean) {
  try {
    localStorage.setItem(storageKey, wanted ? 'on' : 'off')
  } catch {
    // Then it is off again after a reload.
  }
}
