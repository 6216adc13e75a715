import { useAppUpdate } from './useAppUpdate.ts'

/** Updates the app by itself, but not while `held`. Shows nothing. */
export function AppUpdate({ held }: { held: boolean }) {
  useAppUpdate(held)
  return null
}
