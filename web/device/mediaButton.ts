/** Shorter ones get no media keys from Chrome. */
const silenceS = 10
const samplesPerS = 8000
const actions = ['play', 'pause', 'nexttrack', 'previoustrack'] as const

/**
 * Hears the buttons of a Bluetooth remote or headset. They go to a page that plays something, so it
 * plays silence until undone. Call it in a tap. Does nothing where the browser has no such buttons.
 */
export function hearMediaButton(onPress: () => void): () => void {
  if (!('mediaSession' in navigator)) return () => undefined
  const url = URL.createObjectURL(silence())
  const player = new Audio(url)
  player.loop = true
  const press = () => {
    // The browser takes "pause" for done: without a player that goes on there is no next press.
    void player.play().catch(() => undefined)
    navigator.mediaSession.playbackState = 'playing'
    onPress()
  }
  for (const action of actions) navigator.mediaSession.setActionHandler(action, press)
  // Refused, for instance by a silent mode: then there are only taps and keys.
  void player.play().catch(() => undefined)
  return () => {
    for (const action of actions) navigator.mediaSession.setActionHandler(action, null)
    player.pause()
    URL.revokeObjectURL(url)
  }
}

/** A WAV file of silence: 8 bit, one channel. Source of the header: RIFF/WAVE, Microsoft and IBM 1991. */
function silence(): Blob {
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
