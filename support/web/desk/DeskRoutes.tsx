import { type RouteObject, useRoutes } from 'react-router'
import { Redirect } from '#web/ui/Redirect.tsx'
import { AuditScreen } from './AuditScreen.tsx'
import { DeskGuard } from './DeskGuard.tsx'
import { DeskScreen } from './DeskScreen.tsx'
import { RecordingsScreen } from './recordings/RecordingsScreen.tsx'
import { NewTestScreen } from './tests/NewTestScreen.tsx'
import { TestScreen } from './tests/TestScreen.tsx'
import { TestsScreen } from './tests/TestsScreen.tsx'
import { VisitScreen } from './visit/VisitScreen.tsx'

const routes: RouteObject[] = [
  {
    element: <DeskGuard />,
    children: [
      { index: true, element: <DeskScreen /> },
      { path: 'visits/:visitId/:tabId', element: <VisitScreen /> },
      { path: 'tests', element: <TestsScreen /> },
      { path: 'tests/new', element: <NewTestScreen /> },
      { path: 'tests/:testId', element: <TestScreen /> },
      { path: 'recordings', element: <RecordingsScreen /> },
      { path: 'audit', element: <AuditScreen /> },
      { path: '*', element: <Redirect to="/support" /> },
    ],
  },
]

/** The routes under `/support`. There are few agents, so all screens are in one chunk. */
export function DeskRoutes() {
  return useRoutes(routes)
}
