-- A calibration corrects the judge whose judgements people corrected, and no other: what rules and notices say is not
-- a judge's certainty, and each model has its own. `model` is what `edges.nli_model` says; the extraction of claims
-- and judges without a name have an empty one.
ALTER TABLE calibration_versions ADD COLUMN model TEXT NOT NULL DEFAULT '';
DROP INDEX calibration_versions_active;
CREATE UNIQUE INDEX calibration_versions_active ON calibration_versions(source, model) WHERE is_active = 1;

-- Versions from before were fitted to all judgements together: they are taken for the judge most of these were of.
UPDATE calibration_versions SET model = coalesce((
  SELECT coalesce(e.nli_model, '') FROM nli_corrections n JOIN edges e ON e.id = n.edge_id
  GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT 1), '')
WHERE source = 'nli_judge';
-- What others said holds again as they said it.
UPDATE edges SET nli_confidence = nli_confidence_raw
WHERE edge_human_corrected = 0 AND nli_confidence_raw IS NOT NULL AND nli_confidence <> nli_confidence_raw
  AND coalesce(nli_model, '') NOT IN (
    SELECT model FROM calibration_versions WHERE source = 'nli_judge' AND is_active = 1);
