import type { FieldErrors, UseFormRegister } from 'react-hook-form'

/** The port of Orbits and of most other timekeepers. */
export const usualPort = 50_000

export const sourceChoices = [
  'rmonitor',
  'race-monitor',
  'racehero',
  'push',
  'recorded',
  'none',
] as const

/** The fields of the form of a source, of all kinds. */
export interface SourceFields {
  kind: (typeof sourceChoices)[number]
  host: string
  port: string
  /** Number of the race or event at its provider. */
  number: string
  token: string
  /** The source so far was that of another race. */
  forgetFlags: boolean
  /** A recorded feed, and how fast it is played. */
  files: FileList | null
  speed: string
}

export interface FieldsOfForm {
  register: UseFormRegister<SourceFields>
  errors: FieldErrors<SourceFields>
}
