import type { MessageType } from '#contract/messages.ts'
import { type Spoken, spokenText } from '#web/text/spoken.ts'

/** The part of a voice that decides how texts are read. */
interface VoiceLike {
  readonly lang: string
  readonly voiceURI: string
}

/** Voices in languages whose words are known, the phone's own language first. */
export function offeredVoices<Each extends VoiceLike>(
  voices: readonly Each[],
  preferred: readonly string[],
): Each[] {
  const rank = ({ lang }: VoiceLike) => {
    const index = preferred.findIndex(each => languageOf(each) === languageOf(lang))
    return index < 0 ? preferred.length : index
  }
  return voices
    .filter(({ lang }) => languageOf(lang) in spokenText)
    .toSorted((one, other) => rank(one) - rank(other))
}

/** The language in which texts are read: the chosen voice's, else the phone's, else English. */
export function spokenLanguage(
  voices: readonly VoiceLike[],
  chosen: string | null,
  preferred: readonly string[],
): string {
  const lang = voices.find(({ voiceURI }) => voiceURI === chosen)?.lang
  return (lang === undefined ? preferred : [lang]).map(languageOf).find(isKnown) ?? 'en'
}

/** A word of the team is read in small letters: capitals are spelled by some voices. */
export function spokenWord(type: MessageType, lang: string): string {
  const words: Record<string, string> = formsOf(lang).words
  return words[type] ?? type.toLowerCase()
}

export function spokenSample(lang: string): string {
  return formsOf(lang).sample
}

/** The lap time on the driver's screen, such as 1:52.4 or ~1:52, as it is read aloud; null for anything else. */
export function spokenLapTime(shown: string, lang: string): string | null {
  const [found, minutes = '0', seconds, tenths] =
    /^~?(?:(\d{1,2}):)?(\d{1,2})(?:\.(\d))?$/.exec(shown) ?? []
  if (found === undefined) return null
  return formsOf(lang).lapTime(
    Number(minutes),
    Number(seconds),
    tenths === undefined ? null : Number(tenths),
  )
}

function formsOf(lang: string): Spoken {
  return isKnown(lang) ? spokenText[lang] : spokenText.en
}

function isKnown(lang: string): lang is keyof typeof spokenText {
  return Object.hasOwn(spokenText, lang)
}

/** Tags such as de-CH, or de_DE on Android. */
function languageOf(tag: string): string {
  return tag.toLowerCase().split(/[-_]/)[0] ?? ''
}
