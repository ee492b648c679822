import { answerJobs } from '#web/features/proofs/verify-all.ts'
import { startVerifier } from './start-verifier.ts'

// The page starts this script once more, as its worker.
if (typeof document === 'undefined') answerJobs()
else startVerifier()
