import { useAppUpdate } from './useAppUpdate.ts'

/** Updates the app automatically, except while `held`. Renders nothing. */
export function AppUpdate(use: Parameters<typeof useAppUpdate>[0]) {
  useAppUpdate(use)
  return null
}
