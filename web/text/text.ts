/**
 * Every sentence of the app, by part; each part declares itself. The English parts are in the other files of this
 * folder and load with their screens. Another language is one more value of this type: one file, in which the compiler
 * reports missing sentences.
 */
// biome-ignore lint/suspicious/noEmptyInterface: each part adds itself
export interface Text {}

export type Languages = Readonly<Record<string, () => Promise<Text>>>

/** Languages other than English, by tag: `de: async () => (await import('./de.ts')).de`. */
const languages: Languages = {}

const parts = new Map<keyof Text, object>()
let translation: Text | null = null

/** Registers a part of the catalogue. It is in English until another language is chosen. */
export function part<Words extends object>(name: keyof Text, english: Words): Readonly<Words> {
  const words = { ...english, ...translation?.[name] }
  parts.set(name, words)
  return words
}

/**
 * Chooses the first preferred language that exists; English if there is none, or if it fails to load.
 * Call it before the first render: texts already rendered are not updated.
 */
export async function chooseLanguage(wanted: readonly string[], offered: Languages = languages) {
  const tag = firstOf(wanted, ['en', ...Object.keys(offered)])
  const text = await offered[tag]?.().catch(() => null)
  if (!text) return
  translation = text
  for (const [name, words] of parts) Object.assign(words, text[name])
  document.documentElement.lang = tag
}

/** Falls back from a regional tag such as de-CH to de. */
function firstOf(wanted: readonly string[], offered: readonly string[]): string {
  for (const tag of wanted) {
    const fitting = offered.find(each => tag === each || tag.startsWith(`${each}-`))
    if (fitting) return fitting
  }
  return 'en'
}
