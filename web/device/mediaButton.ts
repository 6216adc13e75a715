import { Listeners } from '#client/listeners.ts'
import { settingKeys } from './stored.ts'
import { textStore } from './textStore.ts'

/**
 * Buttons of a Bluetooth remote or headset. `off`: switched off; `asked`: waiting for playback to
 * start; `ready`: presses would be received; `works`: one was received; `refused`: the browser refused
 * playback; `unsupported`: no media session API.
 */
export type MediaButtonState = 'off' | 'asked' | 'ready' | 'works' | 'refused' | 'unsupported'

const actions = ['play', 'pause', 'nexttrack', 'previoustrack'] as const
export type MediaAction = (typeof actions)[number]
const storageKey = settingKeys.mediaButton

/**
 * Receives presses of these buttons. Browsers deliver them only to a page that plays audio, so it plays
 * silence, which may interrupt the phone's radio or navigation: hence off until the driver enables it
 * on this device.
 */
export class MediaButton {
  #state: MediaButtonState = isSupported() ? 'off' : 'unsupported'
  /** Stops the silence and removes the button handlers; null while it does not play. */
  #end: (() => void) | null = null
  readonly #stateListeners = new Listeners()
  readonly #pressListeners = new Set<() => void>()
  readonly #actionListeners = new Set<(action: MediaAction) => boolean>()

  get state(): MediaButtonState {
    return this.#state
  }

  onState(listener: () => void): () => void {
    return this.#stateListeners.add(listener)
  }

  /** Calls `listener` before the listeners of `onPress`. If it returns true, they do not receive the press. */
  onAction(listener: (action: MediaAction) => boolean): () => void {
    this.#actionListeners.add(listener)
    return () => this.#actionListeners.delete(listener)
  }

  /** Notifies of each press. Removing the last listener stops the silence. */
  onPress(listener: () => void): () => void {
    this.#pressListeners.add(listener)
    return () => {
      this.#pressListeners.delete(listener)
      if (this.#pressListeners.size === 0) this.#stop()
    }
  }

  /**
   * Starts receiving presses if the driver enabled it. Requires a user gesture. Idempotent; retries
   * after a refusal.
   */
  listen() {
    if (this.#state === 'unsupported' || this.#end || !isEnabled()) return
    this.#become('asked')
    this.#play()
  }

  /** Toggles the setting of this device. Requires a user gesture. */
  toggle() {
    const enabled = this.#state === 'off'
    textStore.write(storageKey, enabled ? 'on' : 'off')
    if (enabled) this.listen()
    else this.#stop()
  }

  #play() {
    const url = URL.createObjectURL(silentAudio())
    const player = new Audio(url)
    player.loop = true
    const end = () => {
      for (const action of actions) navigator.mediaSession.setActionHandler(action, null)
      player.pause()
      URL.revokeObjectURL(url)
    }
    const isOver = () => this.#end !== end
    const press = (action: MediaAction) => {
      // The browser has just paused the player; only a playing page receives the next press.
      void player.play().catch(() => undefined)
      navigator.mediaSession.playbackState = 'playing'
      this.#become('works')
      for (const listener of this.#actionListeners) if (listener(action)) return
      for (const listener of this.#pressListeners) listener()
    }
    for (const action of actions)
      navigator.mediaSession.setActionHandler(action, () => press(action))
    this.#end = end
    player.play().then(
      () => {
        if (!isOver()) this.#become('ready')
      },
      (reason: unknown) => {
        if (isOver()) return
        reportError(new Error(`Headset buttons do not work: ${String(reason)}`))
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
    this.#stateListeners.notify()
  }
}

/** The headset buttons of this device. */
export const mediaButton = new MediaButton()

function isSupported(): boolean {
  return 'mediaSession' in navigator
}

function isEnabled(): boolean {
  return textStore.read(storageKey) === 'on'
}

/** Chrome assigns no media keys to shorter audio. */
const silenceS = 10
const samplesPerS = 8000

/** A WAV file of silence: 8 bit, mono. Source of the header: RIFF/WAVE, Microsoft and IBM 1991. */
function silentAudio(): Blob {
  const samples = silenceS * samplesPerS
  const header = new DataView(new ArrayBuffer(44))
  const text = (at: number, letters: string) => {
    for (let index = 0; index < letters.length; index++) {
      header.setUint8(at + index, letters.charCodeAt(index))
    }
  }
  text(0, 'RIFF')
  header.setUint32(4, 36 + samples, true)
  text(8, 'WAVEfmt ')
  header.setUint32(16, 16, true)
  header.setUint16(20, 1, true)
  header.setUint16(22, 1, true)
  header.setUint32(24, samplesPerS, true)
  header.setUint32(28, samplesPerS, true)
  header.setUint16(32, 1, true)
  header.setUint16(34, 8, true)
  text(36, 'data')
  header.setUint32(40, samples, true)
  return new Blob([header, new Uint8Array(samples).fill(128)], { type: 'audio/wav' })
}
