import { voice } from '#web/device/voice.ts'
import { checksText } from '#web/text/checks.ts'
import { offeredVoices, spokenLanguage, spokenSample } from './spokenForms.ts'
import { useVoiceSetting } from './useVoice.ts'
import styles from './VoiceSetting.module.css'

/** The voice and its language, kept on this phone. Each choice is read aloud at once. */
export function VoiceSetting() {
  const { state, voices, chosen } = useVoiceSetting()
  const offered = offeredVoices(voices, navigator.languages)
  if (state === 'off' || state === 'unsupported' || offered.length === 0) return null
  return (
    <label className={styles.setting}>
      {checksText.voiceName}
      <select
        value={chosen ?? offered[0]?.voiceURI}
        onChange={({ target: { value } }) => {
          const lang = spokenLanguage(voices, value, navigator.languages)
          voice.choose(value, spokenSample(lang), lang)
        }}
      >
        {offered.map(({ voiceURI, name, lang }) => (
          <option key={voiceURI} value={voiceURI}>
            {checksText.voiceIn(name, languageName(lang))}
          </option>
        ))}
      </select>
    </label>
  )
}

function languageName(tag: string): string {
  try {
    return new Intl.DisplayNames(undefined, { type: 'language' }).of(tag.replace('_', '-')) ?? tag
  } catch {
    return tag
  }
}
