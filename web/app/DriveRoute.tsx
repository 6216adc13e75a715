import { DriveScreen } from '#web/features/drive/DriveScreen.tsx'

/** /teams/:teamId/:sessionId/drive */
export function DriveRoute() {
  return <DriveScreen />
}
