export interface TestPath {
  readonly path: string
  readonly kind: 'file' | 'folder' | 'name'
  readonly line?: number
  /** Why no test can be run. */
  readonly problem?: string
}

export function testPath(given: string): TestPath
export function vitestPaths(given: readonly string[]): string[]
export function playwrightPaths(given: readonly string[]): string[]
