export interface TestPath {
  readonly path: string
  readonly kind: 'file' | 'folder' | 'name'
  readonly line?: number
  /** Error message if the path selects no test. */
  readonly problem?: string
}

export function testPath(given: string): TestPath
export function vitestPaths(given: readonly string[]): string[]
export function playwrightPaths(given: readonly string[]): string[]
