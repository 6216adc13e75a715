import type { BuildOptions } from 'esbuild'

export const programOptions: BuildOptions

export function ensureBuilt(options?: {
  folder?: string
  suffix?: string
  flags?: string[]
}): Promise<void>
