import { useEffect, useEffectEvent, useRef, useSyncExternalStore } from 'react'
import type { DriverMessageState } from '#client/driver/driverMessage.ts'
import { voice } from '#web/device/voice.ts'
import type { LapBoard } from '#web/laps/lapBoard.ts'
import { spokenLanguage, spokenLapTime, spokenWord } from './spokenForms.ts'
import { useNewMessage } from './useNewMessage.ts'

/** The language in which this phone reads texts aloud. */
export function voiceLanguage(): string {
  return spokenLanguage(voice.voices, voice.chosen, navigator.languages)
}

/** The state, the voices and the choice of this phone. */
export function useVoiceSetting() {
  const onChange = (listener: () => void) => voice.onChange(listener)
  const state = useSyncExternalStore(onChange, () => voice.state)
  const voices = useSyncExternalStore(onChange, () => voice.voices)
  const chosen = useSyncExternalStore(onChange, () => voice.chosen)
  return { state, voices, chosen }
}

/**
 * Reads each new message that the driver sees aloud, a question as one, and unlocks the voice with the first tap on
 * the screen, as iOS requires.
 */
export function useSpokenMessages(shown: DriverMessageState) {
  useNewMessage(shown, type => {
    const lang = voiceLanguage()
    const word = spokenWord(type, lang)
    voice.speak(shown.message?.ask ? `${word}?` : word, lang)
  })
  useEffect(() => {
    const prime = () => voice.prime()
    window.addEventListener('click', prime)
    return () => window.removeEventListener('click', prime)
  }, [])
}

/** Reads the time of each new lap aloud, unless it led into or out of the pits, or something else is on the screen. */
export function useSpokenLap(board: LapBoard | null, visible: boolean) {
  const before = useRef<string | null>(null)
  const lap = board?.lap ?? null
  const speak = useEffectEvent(() => {
    const isNew = before.current !== null
    before.current = lap ?? ''
    if (!isNew || !board || !visible || board.kind === 'in' || board.kind === 'out') return
    const lang = voiceLanguage()
    const text = spokenLapTime(board.time, lang)
    if (text !== null) voice.speak(text, lang)
  })
  useEffect(() => speak(), [lap])
}
