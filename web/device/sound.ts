import { settingKeys } from './stored.ts'
import { textStore } from './textStore.ts'

/** Two short tones, low then high: audible in a helmet, over before the next corner. */
const tonesHz = [880, 1320]
const toneS = 0.12
const loudness = 0.6

const storageKey = settingKeys.sound

let context: AudioContext | null = null

/** Whether the driver wants a tone for new messages. On by default; stored on this device. */
export function wantsSound(): boolean {
  return textStore.read(storageKey) !== 'off'
}

export function storeWantsSound(wanted: boolean) {
  textStore.write(storageKey, wanted ? 'on' : 'off')
}

/** Whether the browser supports Web Audio. */
export function supportsSound(): boolean {
  return 'AudioContext' in window
}

/** Unlocks audio. Requires a user gesture. Resolves with true if sounds can play. */
export async function unlockSound(): Promise<boolean> {
  if (!supportsSound()) return false
  context ??= new AudioContext()
  // Without a gesture resume() resolves late or never, hence the timeout.
  await Promise.race([context.resume(), new Promise(resolve => setTimeout(resolve, 500))])
  return context.state === 'running'
}

/** Plays the tones of a new message, an answer or an alert, if audio was unlocked. */
export function playTone() {
  if (context?.state !== 'running') return
  const now = context.currentTime
  for (const [index, hz] of tonesHz.entries()) {
    const tone = context.createOscillator()
    const volume = context.createGain()
    const begin = now + index * toneS
    tone.frequency.value = hz
    // A wave that starts or stops abruptly clicks.
    volume.gain.setValueAtTime(0, begin)
    volume.gain.linearRampToValueAtTime(loudness, begin + 0.01)
    volume.gain.setValueAtTime(loudness, begin + toneS - 0.02)
    volume.gain.linearRampToValueAtTime(0, begin + toneS)
    tone.connect(volume).connect(context.destination)
    tone.start(begin)
    tone.stop(begin + toneS)
  }
}
