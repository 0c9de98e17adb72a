"""`nlq doctor`: checks endpoints and the language model, and gives advice.

patient.py     the subject of a check
finding.py     the result of a check
endpoint.py    the checks of an endpoint, in their order
checks/        one file for each group of checks
model.py       the checks of the language model
"""

from nlq_gateway.offline.doctor.endpoint import examine
from nlq_gateway.offline.doctor.finding import SEVERITIES, Finding, Severity
from nlq_gateway.offline.doctor.model import examine_model

__all__ = ["SEVERITIES", "Finding", "Severity", "examine", "examine_model"]
