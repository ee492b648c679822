import { startVerifier } from './start-verifier.ts'

startVerifier()
