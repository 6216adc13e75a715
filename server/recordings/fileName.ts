import type { EpochMs } from '#contract/ids.ts'
import type { Lap } from '#contract/laps.ts'

interface Named {
  title: string
  startedAt: EpochMs
  lap: Pick<Lap, 'number'> | null
  /** The last part, with the ending. */
  name: string
}

const maxTitleLetters = 40

/**
 * Returns the name of an exported file: the session's name, day (UTC), lap and content. It has ASCII letters, digits
 * and hyphens only, so that no header and no file system can misread it.
 */
export function fileName({ title, startedAt, lap, name }: Named): string {
  const plain = title
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9]+/g, '-')
    .slice(0, maxTitleLetters)
    .replace(/^-+|-+$/g, '')
  const day = new Date(startedAt).toISOString().slice(0, 10)
  return [plain, day, lap && `lap-${lap.number}`, name].filter(Boolean).join('-')
}
