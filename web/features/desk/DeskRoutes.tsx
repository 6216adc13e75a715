import { Navigate, type RouteObject, useRoutes } from 'react-router'
import { AuditScreen } from './AuditScreen.tsx'
import { DeskDoor } from './DeskDoor.tsx'
import { DeskScreen } from './DeskScreen.tsx'
import { NewTestScreen } from './NewTestScreen.tsx'
import { TestScreen } from './TestScreen.tsx'
import { TestsScreen } from './TestsScreen.tsx'
import { VisitScreen } from './VisitScreen.tsx'

const routes: RouteObject[] = [
  {
    element: <DeskDoor />,
    children: [
      { index: true, element: <DeskScreen /> },
      { path: 'visits/:visitId/:tabId', element: <VisitScreen /> },
      { path: 'tests', element: <TestsScreen /> },
      { path: 'tests/new', element: <NewTestScreen /> },
      { path: 'tests/:testId', element: <TestScreen /> },
      { path: 'audit', element: <AuditScreen /> },
      { path: '*', element: <Navigate to="/support" replace /> },
    ],
  },
]

/** The addresses under `/support`. Agents are few: they load all of it at once. */
export function DeskRoutes() {
  return useRoutes(routes)
}
