export interface Import {
  file: string
  target: string
  isPackage: boolean
}

export const table: Record<string, { may: string[]; packages?: string[] }>
export const folders: string[]
export function isTestCode(file: string): boolean
export function resolve(file: string, specifier: string): Import
export function refusal(each: Import): string | null
