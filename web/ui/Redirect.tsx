import { Navigate, useLocation } from 'react-router'
import { keepingTest } from './keepingTest.ts'

/** Redirects to a path, and keeps the usability test of the URL. */
export function Redirect({ to }: { to: string }) {
  const { search } = useLocation()
  return <Navigate to={keepingTest(to, search)} replace />
}
