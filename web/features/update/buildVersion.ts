/** The build that this page is. */
export function buildVersion(): string {
  return document.querySelector<HTMLMetaElement>('meta[name=app-version]')?.content ?? ''
}
