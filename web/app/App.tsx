import { QueryClientProvider } from '@tanstack/react-query'
import { useState } from 'react'
import { RouterProvider } from 'react-router/dom'
import { loginQuery } from '#web/api/queries.ts'
import { newQueryClient } from '#web/api/queryClient.ts'
import { Notifications } from '#web/features/notifications/Notifications.tsx'
import { newRouter } from './routes.tsx'

/** The whole app: what the server said, what is said to the person, and which screen is open. */
export function App() {
  const [client] = useState(startedQueryClient)
  const [router] = useState(newRouter)
  return (
    <QueryClientProvider client={client}>
      <Notifications>
        <RouterProvider router={router} />
      </Notifications>
    </QueryClientProvider>
  )
}

/** Asks who is signed in while the code of the screen is still on its way. */
function startedQueryClient() {
  const client = newQueryClient()
  void client.prefetchQuery(loginQuery)
  return client
}
