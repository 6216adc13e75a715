import { useAppUpdate } from './useAppUpdate.ts'

/** Updates the app automatically, except while `held`. Renders nothing. */
export function AppUpdate({ held }: { held: boolean }) {
  useAppUpdate(held)
  return null
}
