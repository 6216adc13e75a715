export interface TestArguments {
  readonly lane: 'unit' | 'server' | 'engines' | 'postgres' | null
  /** How often each test runs. */
  readonly repeat: number
  readonly paths: string[]
  /** Error messages: nothing runs if there is one. */
  readonly problems: string[]
}

export function testArguments(given: readonly string[]): TestArguments
