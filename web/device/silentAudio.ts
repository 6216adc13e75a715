/** Chrome assigns no media keys to shorter audio. */
const silenceS = 10
const samplesPerS = 8000

/** A WAV file of silence: 8 bit, mono. Source of the header: RIFF/WAVE, Microsoft and IBM 1991. */
export function silentAudio(): Blob {
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
