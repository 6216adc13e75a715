import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useParams } from 'react-router'
import { teamQuery } from '#web/api/queries.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { appText } from '#web/text/app.ts'
import { teamsText } from '#web/text/teams.ts'
import { BackLink, Bar } from '#web/ui/Bar.tsx'
import { LoadFailed } from '#web/ui/LoadFailed.tsx'
import { PageHead } from '#web/ui/PageHead.tsx'
import { SkeletonRows } from '#web/ui/Skeleton.tsx'
import { usePageTitle } from '#web/ui/usePageTitle.ts'
import { Wrap } from '#web/ui/Wrap.tsx'

interface Props<T> {
  text: { readonly page: string; readonly loading: string; readonly failed: string }
  wide?: boolean
  query: UseQueryResult<T>
  /** Shown above the content, also while it loads. */
  hint?: ReactNode
  children: (data: T) => ReactNode
}

/** A page of a team with a list: loading, failed, or its content. */
export function TeamPage<T>({ text, wide = false, query, hint, children }: Props<T>) {
  usePageTitle(text.page)
  const { teamId = '' } = useParams()
  const { data: team } = useQuery(teamQuery(teamId))
  return (
    <>
      <Bar>
        <BackLink to={`/teams/${teamId}`} lead={appText.backTo}>
          {team?.name ?? teamsText.page}
        </BackLink>
      </Bar>
      <Wrap wide={wide}>
        <PageHead title={text.page} />
        {hint}
        {query.data !== undefined ? (
          children(query.data)
        ) : query.error ? (
          <LoadFailed
            title={text.failed}
            message={refusalText(query.error)}
            retryLabel={appText.tryAgain}
            retrying={query.isFetching}
            onRetry={() => void query.refetch()}
          />
        ) : (
          <SkeletonRows label={text.loading} />
        )}
      </Wrap>
    </>
  )
}
