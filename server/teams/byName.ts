interface Named {
  id: string
  firstName: string | null
  lastName: string | null
  email: string | null
}

/** Sorts people by last name; those without one by their e-mail address. */
export function byName(a: Named, b: Named): number {
  return sortKey(a).localeCompare(sortKey(b)) || a.id.localeCompare(b.id)
}

function sortKey({ firstName, lastName, email }: Named): string {
  return `${lastName ?? email ?? ''} ${firstName ?? ''}`
}
