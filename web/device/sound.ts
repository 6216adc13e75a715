/** Two short tones, low then high: heard in a helmet, over before the next corner. */
const tonesHz = [880, 1320]
const toneS = 0.12
const loudness = 0.6

const storageKey = 'pitboard.sound'

let context: AudioContext | null = null

/** Whether the driver wants to hear new messages. Yes, until it is switched off on this device. */
export function wantsSound(): boolean {
  try {
    return localStorage.getItem(storageKey) !== 'off'
  } catch {
    return true
  }
}

export function keepWantsSound(wanted: boolean) {
  try {
    localStorage.setItem(storageKey, wanted ? 'on' : 'off')
  } catch {
    // Then it is asked for again after a reload.
  }
}

/** Whether the browser can make a sound at all. */
export function canSound(): boolean {
  return 'AudioContext' in window
}

/** Lets sounds be made from now on. Call it in a tap: browsers want one. True if they can. */
export async function unlockSound(): Promise<boolean> {
  if (!canSound()) return false
  context ??= new AudioContext()
  // It resolves late or never where there is no tap: nobody waits for that long.
  await Promise.race([context.resume(), new Promise(resolve => setTimeout(resolve, 500))])
  return context.state === 'running'
}

/** The tone of a new message; silent until sounds were unlocked. */
export function soundTone() {
  if (context?.state !== 'running') return
  const now = context.currentTime
  for (const [index, hz] of tonesHz.entries()) {
    const tone = context.createOscillator()
    const volume = context.createGain()
    const begin = now + index * toneS
    tone.frequency.value = hz
    // A wave that begins or ends at once clicks.
    volume.gain.setValueAtTime(0, begin)
    volume.gain.linearRampToValueAtTime(loudness, begin + 0.01)
    volume.gain.setValueAtTime(loudness, begin + toneS - 0.02)
    volume.gain.linearRampToValueAtTime(0, begin + toneS)
    tone.connect(volume).connect(context.destination)
    tone.start(begin)
    tone.stop(begin + toneS)
  }
}
