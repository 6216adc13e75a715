import { settingKeys } from './stored.ts'

/**
 * The voice that reads aloud. `off`: switched off; `asked`: waiting for the browser to speak; `works`: it spoke;
 * `silent`: it failed to; `unsupported`: no speech synthesis.
 */
export type VoiceState = 'off' | 'asked' | 'works' | 'silent' | 'unsupported'

/** The part of `window.speechSynthesis` that is used. */
export interface SpeechEngine {
  speak(utterance: SpeechSynthesisUtterance): void
  cancel(): void
  getVoices(): SpeechSynthesisVoice[]
  addEventListener(type: 'voiceschanged', listener: () => void): void
}

interface Parts {
  /** Undefined in a browser without speech synthesis. */
  engine: SpeechEngine | undefined
  utter: (text: string) => SpeechSynthesisUtterance
  /** Storage of this device. */
  store: Pick<Storage, 'getItem' | 'setItem'>
}

const enabledKey = settingKeys.voice
const chosenKey = settingKeys.voiceName

/** An engine that has not begun to speak by then is silent: some browsers report no error. */
const beginsWithinMs = 4000

/** Our tone is played first: the engine may take a second, or fail. */
const afterToneMs = 300

/** Reads texts aloud by the phone's speech synthesis. Nothing may depend on it: engines fail without notice. */
export class Voice {
  readonly #engine: SpeechEngine | undefined
  readonly #utter: Parts['utter']
  readonly #store: Parts['store']
  readonly #listeners = new Set<() => void>()
  #state: VoiceState
  #voices: readonly SpeechSynthesisVoice[] = []
  /** Timeouts that begin and check the current utterance. */
  #timers: ReturnType<typeof setTimeout>[] = []

  constructor({ engine, utter, store }: Parts) {
    this.#engine = engine
    this.#utter = utter
    this.#store = store
    this.#state = !engine ? 'unsupported' : this.#read(enabledKey) === 'on' ? 'asked' : 'off'
    // Most browsers load the list of voices some time after the page.
    engine?.addEventListener('voiceschanged', () => this.#loadVoices())
    this.#loadVoices()
  }

  get state(): VoiceState {
    return this.#state
  }

  /** The voices of this phone; the same array until they change. */
  get voices(): readonly SpeechSynthesisVoice[] {
    return this.#voices
  }

  /** The voice that the driver chose on this phone; null for the first one that fits. */
  get chosen(): string | null {
    return this.#read(chosenKey)
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Turns the voice on, with a sample, or off. Requires a user gesture. */
  toggle(sample: string, lang: string) {
    if (!this.#engine) return
    const enabled = this.#state === 'off'
    this.#write(enabledKey, enabled ? 'on' : 'off')
    if (enabled) this.#become('asked')
    else {
      this.#stop()
      this.#become('off')
    }
    if (enabled) this.#say(sample, lang)
  }

  choose(voiceURI: string, sample: string, lang: string) {
    this.#write(chosenKey, voiceURI)
    this.#notify()
    this.#say(sample, lang)
  }

  /** Unlocks speech with a user gesture, as iOS requires: it speaks nothing that can be heard. Idempotent. */
  prime() {
    if (this.#state !== 'asked' && this.#state !== 'silent') return
    this.#say(' ', '', 0)
  }

  /** Reads a text aloud after our tone. A newer text interrupts an older one. */
  speak(text: string, lang: string) {
    if (this.#state === 'off' || this.#state === 'unsupported') return
    this.#stop()
    this.#timers.push(setTimeout(() => this.#say(text, lang), afterToneMs))
  }

  #say(text: string, lang: string, volume = 1) {
    const engine = this.#engine
    if (!engine || this.#state === 'off') return
    this.#stop()
    const utterance = this.#utter(text)
    const voice = this.#voices.find(each => each.voiceURI === this.chosen)
    if (voice) utterance.voice = voice
    if (voice?.lang || lang) utterance.lang = voice?.lang ?? lang
    utterance.volume = volume
    const silent = setTimeout(() => this.#become('silent'), beginsWithinMs)
    this.#timers.push(silent)
    const works = () => {
      clearTimeout(silent)
      this.#become('works')
    }
    utterance.onstart = works
    utterance.onend = works
    utterance.onerror = ({ error }) => {
      // A newer text replaced it.
      if (error === 'interrupted' || error === 'canceled') return
      clearTimeout(silent)
      this.#become('silent')
    }
    engine.speak(utterance)
  }

  #stop() {
    for (const timer of this.#timers) clearTimeout(timer)
    this.#timers = []
    this.#engine?.cancel()
  }

  #loadVoices() {
    this.#voices = this.#engine?.getVoices() ?? []
    this.#notify()
  }

  #become(state: VoiceState) {
    // Switched off in the meantime.
    if (this.#state === 'off' && state !== 'asked') return
    if (state === this.#state) return
    this.#state = state
    this.#notify()
  }

  #notify() {
    for (const listener of this.#listeners) listener()
  }

  #read(key: string): string | null {
    try {
      return this.#store.getItem(key)
    } catch {
      return null
    }
  }

  #write(key: string, value: string) {
    try {
      this.#store.setItem(key, value)
    } catch {
      // Storage is blocked or full: the setting is lost on reload.
    }
  }
}

export const voice = new Voice({
  engine: 'speechSynthesis' in globalThis ? globalThis.speechSynthesis : undefined,
  utter: text => new SpeechSynthesisUtterance(text),
  store: {
    getItem: key => localStorage.getItem(key),
    setItem: (key, value) => localStorage.setItem(key, value),
  },
})
