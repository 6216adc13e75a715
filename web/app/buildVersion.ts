/** The build version of this page. */
export function buildVersion(): string {
  return document.querySelector<HTMLMetaElement>('meta[name=app-version]')?.content ?? ''
}
