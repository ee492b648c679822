import { useRouteError } from 'react-router'
import { ErrorScreen } from './error-screen.tsx'
import { isMissingCode } from './missing-code.ts'

/** In the place of a page that broke, or whose code could not be had. */
export function RouteFailure() {
  return <ErrorScreen isCodeMissing={isMissingCode(useRouteError())} />
}
