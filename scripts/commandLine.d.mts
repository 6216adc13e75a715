interface Option {
  readonly type: 'string' | 'boolean'
  readonly default?: string | boolean
}

/** The value of an option; undefined only without a default. */
type ValueOf<T extends Option> =
  | (T['type'] extends 'boolean' ? boolean : string)
  | (T extends { readonly default: unknown } ? never : undefined)

export function readCommandLine<
  const O extends Readonly<Record<string, Option>> = Record<never, Option>,
>(settings: {
  readonly usage: string
  readonly options?: O
  /** Names of options whose values are numbers. */
  readonly numbers?: readonly (keyof O & string)[]
  /** The number of words beside the options; without these, none. */
  readonly leastWords?: number
  readonly mostWords?: number
}): { readonly values: { readonly [Name in keyof O]: ValueOf<O[Name]> }; readonly words: string[] }

export function refuseCommandLine(sentence: string, usage: string): never
