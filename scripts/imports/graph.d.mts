import type { Import } from './rules.mjs'

export const runTime: RegExp
export const withTypes: RegExp
export function sourcesIn(folder: string): string[]
export function importsOf(file: string, pattern: RegExp): Import[]
export function importersOf(files: Iterable<string>, imports: Import[]): Set<string>
export function databaseTests(): string[]
